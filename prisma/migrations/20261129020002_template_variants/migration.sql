-- A template has a variant for each language. NULL: the default, which all other languages use.
ALTER TABLE email_templates ADD COLUMN locale text;
DROP INDEX email_templates_one_per_campaign;
DROP INDEX email_templates_one_in_general;
CREATE UNIQUE INDEX email_templates_one_per_place ON email_templates (organization_id, campaign_id, template_type, locale) NULLS NOT DISTINCT;
