-- (docs/decisions/0005). No identity has a part as long as a listing's id, so that the index tells the listings apart. Each entry has at least two
-- characters, so that a single one is part of a pair.
CREATE OR REPLACE FUNCTION allowances_with(of_listing uuid, part text, pattern text, most integer) RETURNS TABLE (kind public."IdentityKind", identity text)
  LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, public SET plan_cache_mode = force_custom_plan SET enable_seqscan = off SET enable_indexscan = off
  AS $$
    SELECT found.kind, found.identity FROM (
      SELECT a.kind, a.identity FROM public.listing_allowances a
      WHERE length(part) > 1 AND array_append(public.pairs_of(a.identity), a.listing_id::text) @> array_append(public.pairs_of(part), of_listing::text)
        AND a.identity ILIKE pattern AND a.organization_id = public.current_organization()
      UNION ALL
      SELECT a.kind, a.identity FROM public.listing_allowances a
      WHERE length(part) = 1 AND array_append(public.pairs_of(a.identity), a.listing_id::text) && public.pairs_with(part)
        AND array_append(public.pairs_of(a.identity), a.listing_id::text) @> ARRAY[of_listing::text]
        AND a.identity ILIKE pattern AND a.organization_id = public.current_organization()
    ) found LIMIT most
  $$;
