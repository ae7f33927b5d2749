-- The entries of a listing's allow list that contain a text, in any case: the keys of at most so many, past row-level security as items_titled
-- (docs/decisions/0005). No identity has a part as long as a listing's id, so that the index tells the listings apart.
CREATE FUNCTION allowances_with(of_listing uuid, part text, pattern text, most integer) RETURNS TABLE (kind public."IdentityKind", identity text)
  LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, public SET plan_cache_mode = force_custom_plan SET enable_seqscan = off SET enable_indexscan = off
  AS $$
    SELECT a.kind, a.identity FROM public.listing_allowances a
    WHERE array_append(public.grams_of(a.identity), a.listing_id::text) @> array_append(public.grams_of(part), of_listing::text)
      AND a.identity ILIKE pattern AND a.organization_id = public.current_organization()
    LIMIT most
  $$;
REVOKE ALL ON FUNCTION allowances_with(uuid, text, text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION allowances_with(uuid, text, text, integer) TO vitrine_app;
