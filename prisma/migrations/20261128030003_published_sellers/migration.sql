-- What pages of published items and collections show of their organization, with the version of its row. Whoever reads published rows learns nothing else
-- of organizations, and nothing of those that have published none.
CREATE FUNCTION published_seller(of_organization uuid)
  RETURNS TABLE (row_version text, name text, brand jsonb, terms_url text, contact_email text, shows_vitrine boolean, web_domain text, web_domain_found_at timestamptz)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    SELECT o.xmin::text, o.name, o.brand, o.terms_url, o.contact_email, o.shows_vitrine, o.web_domain, o.web_domain_found_at
    FROM public.organizations o
    WHERE o.id = of_organization
      AND EXISTS (SELECT 1 FROM public.collections c WHERE c.organization_id = o.id AND c.deployment_status = 'SUCCESS' AND c.is_public)
  $$;
REVOKE ALL ON FUNCTION published_seller(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION published_seller(uuid) TO vitrine_public;
