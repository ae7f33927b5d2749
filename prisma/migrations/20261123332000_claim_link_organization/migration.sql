-- Whose claim a link opens, for whoever shows the token that the hash is made of: so that a read can begin as its organization without another
-- round trip.
CREATE FUNCTION organization_of_claim_link(token_hash bytea) RETURNS uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$ SELECT t.organization_id FROM public.claim_tokens t WHERE t.hash = token_hash $$;
REVOKE ALL ON FUNCTION organization_of_claim_link(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION organization_of_claim_link(bytea) TO vitrine_app;
