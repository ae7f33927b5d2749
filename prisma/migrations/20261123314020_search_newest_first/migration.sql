-- The index of words has the titles of all organizations: for a word that is in many of them it names more items than are wanted. The newest items
-- are looked at by themselves first: there a common word is soon found often enough, and an organization with few items is searched completely.
CREATE FUNCTION search_older_items(wanted tsquery, before uuid, most integer) RETURNS TABLE (id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, public SET plan_cache_mode = force_custom_plan SET enable_seqscan = off SET enable_indexscan = off
  AS $$
    SELECT i.id FROM public.items i
    WHERE i.organization_id = public.current_organization() AND i.id < before AND to_tsvector('simple', coalesce(i.attributes->>'title', '')) @@ wanted
    LIMIT most
  $$;
-- search_items calls it as its owner.
REVOKE ALL ON FUNCTION search_older_items(tsquery, uuid, integer) FROM PUBLIC;

CREATE OR REPLACE FUNCTION search_items(wanted tsquery, most integer) RETURNS TABLE (id uuid)
  LANGUAGE plpgsql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, public SET plan_cache_mode = force_custom_plan
  AS $$
DECLARE
  looked_at constant integer := 1000;
  own constant uuid := public.current_organization();
  newest uuid[];
  found uuid[];
BEGIN
  SELECT array_agg(n.id ORDER BY n.id DESC), coalesce((array_agg(n.id ORDER BY n.id DESC) FILTER (WHERE n.fits))[:most], '{}') INTO newest, found FROM (
    SELECT i.id, to_tsvector('simple', coalesce(i.attributes->>'title', '')) @@ wanted AS fits
    FROM public.items i WHERE i.organization_id = own ORDER BY i.id DESC LIMIT looked_at) n;
  RETURN QUERY SELECT unnest(found);
  IF cardinality(found) < most AND cardinality(newest) = looked_at THEN
    RETURN QUERY SELECT o.id FROM public.search_older_items(wanted, newest[looked_at], most - cardinality(found)) o;
  END IF;
END $$;
