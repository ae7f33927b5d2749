-- The items of the transaction's organization whose title contains a text, in any case. Row-level security looks at each row before a condition that might
-- leak it, so that no index of titles could be used (docs/decisions/0005). This asks past it and gives only ids; `most` bounds what is read for what many titles contain.
CREATE FUNCTION items_titled(part text, pattern text, of_collection uuid, most integer) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, public SET plan_cache_mode = force_custom_plan SET enable_seqscan = off SET enable_indexscan = off
  AS $$
    SELECT i.id FROM public.items i
    WHERE public.grams_of(i.attributes ->> 'title') @> public.grams_of(part) AND i.attributes ->> 'title' ILIKE pattern
      AND i.organization_id = public.current_organization() AND (of_collection IS NULL OR i.collection_id = of_collection)
    LIMIT most
  $$;
REVOKE ALL ON FUNCTION items_titled(text, text, uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION items_titled(text, text, uuid, integer) TO vitrine_app;
