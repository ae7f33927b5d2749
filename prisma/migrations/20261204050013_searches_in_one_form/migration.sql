-- Searches of titles compare them in the form of search_form, and ask the indexes of that form. Processes of the release before call these functions, too.
CREATE OR REPLACE FUNCTION items_found(wanted jsonb[], also jsonb[], others jsonb, part text, pattern text, of_collection uuid, is_locked boolean, of_status text, most integer)
  RETURNS SETOF uuid LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, public SET plan_cache_mode = force_custom_plan SET enable_seqscan = off SET enable_indexscan = off
  AS $$
    SELECT found.id FROM unnest(coalesce(wanted, ARRAY[NULL]::jsonb[])) w (value), LATERAL (
      SELECT i.id FROM public.items i
      WHERE i.organization_id = public.current_organization() AND (wanted IS NULL OR i.attributes @> w.value)
        AND (part IS NULL OR public.grams_of(public.search_form(i.attributes ->> 'title')) @> public.grams_covering(public.search_form(part)))
        AND (pattern IS NULL OR public.search_form(i.attributes ->> 'title') LIKE public.search_form(pattern))
        AND (also IS NULL OR (i.attributes || '{}') @> ANY (also))
        AND (of_collection IS NULL OR i.collection_id = of_collection) AND (of_status IS NULL OR i.token_status = of_status)
        AND (is_locked IS NULL OR (is_locked AND i.locked_at IS NOT NULL) OR (NOT is_locked AND i.locked_at IS NULL))
        AND (others IS NULL OR public.has_each_of(i.attributes, others))
      LIMIT most) found
    LIMIT most
  $$;

CREATE OR REPLACE FUNCTION items_titled(part text, pattern text, of_collection uuid, most integer) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, public SET plan_cache_mode = force_custom_plan SET enable_seqscan = off SET enable_indexscan = off
  AS $$
    SELECT i.id FROM public.items i
    WHERE public.grams_of(public.search_form(i.attributes ->> 'title')) @> public.grams_of(public.search_form(part))
      AND public.search_form(i.attributes ->> 'title') LIKE public.search_form(pattern)
      AND i.organization_id = public.current_organization() AND (of_collection IS NULL OR i.collection_id = of_collection)
    LIMIT most
  $$;

CREATE OR REPLACE FUNCTION search_older_items(wanted tsquery, before uuid, most integer) RETURNS TABLE (id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, public SET plan_cache_mode = force_custom_plan SET enable_seqscan = off SET enable_indexscan = off
  AS $$
    SELECT i.id FROM public.items i
    WHERE i.organization_id = public.current_organization() AND i.id < before
      AND to_tsvector('simple', public.search_form(coalesce(i.attributes->>'title', ''))) @@ wanted
    LIMIT most
  $$;

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
    SELECT i.id, to_tsvector('simple', public.search_form(coalesce(i.attributes->>'title', ''))) @@ wanted AS fits
    FROM public.items i WHERE i.organization_id = own ORDER BY i.id DESC LIMIT looked_at) n;
  RETURN QUERY SELECT unnest(found);
  IF cardinality(found) < most AND cardinality(newest) = looked_at THEN
    RETURN QUERY SELECT o.id FROM public.search_older_items(wanted, newest[looked_at], most - cardinality(found)) o;
  END IF;
END $$;
