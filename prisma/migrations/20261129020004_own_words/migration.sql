-- Words of built-in mails that an organization replaces, by language and key: {"de": {"mail.gift.subject": "…"}}. NULL: none.
ALTER TABLE organizations ADD COLUMN words jsonb;
-- Names and symbols that are never translated.
ALTER TABLE organizations ADD COLUMN glossary text[] NOT NULL DEFAULT '{}';
