-- The language of people's pages and mails: of an organization, and of what is sent or sold where it says so. NULL: none was given.
ALTER TABLE organizations ADD COLUMN locale text;
ALTER TABLE campaigns ADD COLUMN locale text;
ALTER TABLE email_claims ADD COLUMN locale text;
ALTER TABLE purchase_intents ADD COLUMN locale text;
-- The language that a mail's variables were written in. NULL: English, as mails of earlier releases are.
ALTER TABLE outbox_messages ADD COLUMN locale text;

DROP FUNCTION published_seller(uuid);
CREATE FUNCTION published_seller(of_organization uuid)
  RETURNS TABLE (row_version text, name text, brand jsonb, terms_url text, contact_email text, shows_vitrine boolean, web_domain text, web_domain_found_at timestamptz,
    locale text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    SELECT o.xmin::text, o.name, o.brand, o.terms_url, o.contact_email, o.shows_vitrine, o.web_domain, o.web_domain_found_at, o.locale
    FROM public.organizations o
    WHERE o.id = of_organization
      AND EXISTS (SELECT 1 FROM public.collections c WHERE c.organization_id = o.id AND c.deployment_status = 'SUCCESS' AND c.is_public)
  $$;
REVOKE ALL ON FUNCTION published_seller(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION published_seller(uuid) TO vitrine_public;
