-- The blocks of a template that was made of them; null: it was written as code.
ALTER TABLE email_template_versions ADD COLUMN blocks jsonb;
