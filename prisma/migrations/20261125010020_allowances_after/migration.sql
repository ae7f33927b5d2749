-- A page of a listing's allow list, from a place in its order on: the keys of at most so many. Comparing kinds, an enum, isn't leakproof, so that
-- under row-level security a page in the middle was found by reading all entries before it (docs/decisions/0005).
CREATE FUNCTION allowances_after(of_listing uuid, first_kind public."IdentityKind", first_identity text, is_ascending boolean, pattern text, most integer)
  RETURNS TABLE (kind public."IdentityKind", identity text) LANGUAGE plpgsql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, public SET plan_cache_mode = force_custom_plan
  AS $$
BEGIN
  IF is_ascending THEN
    RETURN QUERY SELECT a.kind, a.identity FROM public.listing_allowances a
      WHERE a.listing_id = of_listing AND a.organization_id = public.current_organization()
        AND (first_kind IS NULL OR (a.kind, a.identity) >= (first_kind, first_identity)) AND (pattern IS NULL OR a.identity ILIKE pattern)
      ORDER BY a.kind, a.identity LIMIT most;
  ELSE
    RETURN QUERY SELECT a.kind, a.identity FROM public.listing_allowances a
      WHERE a.listing_id = of_listing AND a.organization_id = public.current_organization()
        AND (first_kind IS NULL OR (a.kind, a.identity) <= (first_kind, first_identity)) AND (pattern IS NULL OR a.identity ILIKE pattern)
      ORDER BY a.kind DESC, a.identity DESC LIMIT most;
  END IF;
END $$;
REVOKE ALL ON FUNCTION allowances_after(uuid, public."IdentityKind", text, boolean, text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION allowances_after(uuid, public."IdentityKind", text, boolean, text, integer) TO vitrine_app;
