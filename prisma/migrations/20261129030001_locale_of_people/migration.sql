-- The language that a person chose for mails and the dashboard. NULL: none yet; their organization's counts.
ALTER TABLE users ADD COLUMN locale text;
