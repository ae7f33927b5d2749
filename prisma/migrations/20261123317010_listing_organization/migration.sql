-- Whose listing it is that anybody may ask about, so that a read can begin as its organization without another round trip. It is shown with
-- the listing.
CREATE FUNCTION organization_of_listing(of_listing uuid) RETURNS uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$ SELECT l.organization_id FROM public.listings l WHERE l.id = of_listing AND l.status <> 'DRAFT' $$;
REVOKE ALL ON FUNCTION organization_of_listing(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION organization_of_listing(uuid) TO vitrine_app;
