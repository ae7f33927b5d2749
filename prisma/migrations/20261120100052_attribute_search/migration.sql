-- Row-level security lets an index answer only what can't leak, and @> on jsonb isn't counted among that: a public search over all
-- collections read every published item. This asks the index first. Which of the ids may be seen is still decided by the policies of
-- whoever asks; what a collection hides is no answer here either.
CREATE FUNCTION published_items_with(wanted jsonb) RETURNS SETOF uuid LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  WITH found AS MATERIALIZED (SELECT id, collection_id FROM public.items WHERE attributes @> wanted AND locked_at IS NOT NULL)
  SELECT f.id FROM found f JOIN public.collections c ON c.id = f.collection_id
  WHERE c.deployment_status = 'SUCCESS' AND c.is_public AND (c.reveal_strategy = 'INSTANT' OR c.revealed_at IS NOT NULL)
$$;
REVOKE EXECUTE ON FUNCTION published_items_with(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION published_items_with(jsonb) TO vitrine_public;
