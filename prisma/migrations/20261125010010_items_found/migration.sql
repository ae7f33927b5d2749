-- What an index of grams_of is asked for: pairs that cover the text. All pairs and characters say little more, and each is a list to be read.
CREATE FUNCTION grams_covering(content text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  -- What separates pairs in grams_of is in none of them.
  SELECT CASE WHEN length(text) = 1 OR position(E'\x01' IN text) > 0 THEN string_to_array(text, NULL)
    ELSE ARRAY(SELECT substr(text, least(place, length(text) - 1), 2) FROM generate_series(1, length(text), 2) place) END
  FROM (SELECT lower(content)) lower_case (text)
$$;

-- Whether attributes contain an object of each list.
CREATE FUNCTION has_each_of(attributes jsonb, lists jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT NOT EXISTS (SELECT 1 FROM jsonb_array_elements(lists) l (objects)
    WHERE NOT EXISTS (SELECT 1 FROM jsonb_array_elements(l.objects) o (value) WHERE attributes @> o.value))
$$;

-- The items of the transaction's organization that fulfil all filters of a search, past row-level security as items_with and items_titled
-- (docs/decisions/0005): only ids, at most so many. With all filters in one statement the planner intersects the indexes of attributes, titles,
-- collections and states before it reads a row. `wanted`: objects of which an item has one, and `also`, for which no index is asked; `others`: lists of
-- objects, of each of which it has one. `part` asks the index of titles, `pattern` judges. What is null isn't asked for.
CREATE FUNCTION items_found(wanted jsonb[], also jsonb[], others jsonb, part text, pattern text, of_collection uuid, is_locked boolean, of_status text, most integer)
  RETURNS SETOF uuid LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, public SET plan_cache_mode = force_custom_plan SET enable_seqscan = off SET enable_indexscan = off
  AS $$
    SELECT found.id FROM unnest(coalesce(wanted, ARRAY[NULL]::jsonb[])) w (value), LATERAL (
      SELECT i.id FROM public.items i
      WHERE i.organization_id = public.current_organization() AND (wanted IS NULL OR i.attributes @> w.value)
        AND (part IS NULL OR public.grams_of(i.attributes ->> 'title') @> public.grams_covering(part))
        AND (pattern IS NULL OR i.attributes ->> 'title' ILIKE pattern) AND (also IS NULL OR (i.attributes || '{}') @> ANY (also))
        AND (of_collection IS NULL OR i.collection_id = of_collection) AND (of_status IS NULL OR i.token_status = of_status)
        AND (is_locked IS NULL OR (is_locked AND i.locked_at IS NOT NULL) OR (NOT is_locked AND i.locked_at IS NULL))
        AND (others IS NULL OR public.has_each_of(i.attributes, others))
      LIMIT most) found
    LIMIT most
  $$;
REVOKE ALL ON FUNCTION items_found(jsonb[], jsonb[], jsonb, text, text, uuid, boolean, text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION items_found(jsonb[], jsonb[], jsonb, text, text, uuid, boolean, text, integer) TO vitrine_app;

-- The same of published items, whose titles aren't searched. An owner's items, and those of a token id, may be far fewer than those of an attribute,
-- so that their indexes are offered, too.
CREATE FUNCTION published_items_found(wanted jsonb[], others jsonb, of_organization uuid, of_collections uuid[], of_networks int[], of_tokens text[], of_owner text, most integer)
  RETURNS SETOF uuid LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, public SET plan_cache_mode = force_custom_plan SET enable_seqscan = off SET enable_indexscan = off
  AS $$
    WITH open_collections AS MATERIALIZED (
      SELECT c.id FROM public.collections c
      WHERE c.deployment_status = 'SUCCESS' AND c.is_public AND (c.reveal_strategy = 'INSTANT' OR c.revealed_at IS NOT NULL)
        AND (of_organization IS NULL OR c.organization_id = of_organization) AND (of_collections IS NULL OR c.id = ANY (of_collections))
        AND (of_networks IS NULL OR c.network_id = ANY (of_networks)))
    SELECT found.id FROM unnest(wanted) w (value), LATERAL (
      SELECT i.id FROM public.items i
      WHERE i.attributes @> w.value AND i.locked_at IS NOT NULL AND i.collection_id IN (SELECT o.id FROM open_collections o)
        AND (of_collections IS NULL OR i.collection_id = ANY (of_collections))
        AND (of_tokens IS NULL OR (i.token_id = ANY (of_tokens) AND i.collection_id = ANY (ARRAY(SELECT o.id FROM open_collections o))))
        AND (of_owner IS NULL OR i.id = ANY (ARRAY(SELECT o.item_id FROM public.item_owners o WHERE o.address = of_owner AND o.quantity > 0)))
        AND (others IS NULL OR public.has_each_of(i.attributes, others))
      LIMIT most) found
    LIMIT most
  $$;
REVOKE ALL ON FUNCTION published_items_found(jsonb[], jsonb, uuid, uuid[], int[], text[], text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION published_items_found(jsonb[], jsonb, uuid, uuid[], int[], text[], text, integer) TO vitrine_public;

-- The same pairs for a listing's allow list.
CREATE OR REPLACE FUNCTION allowances_with(of_listing uuid, part text, pattern text, most integer) RETURNS TABLE (kind public."IdentityKind", identity text)
  LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, public SET plan_cache_mode = force_custom_plan SET enable_seqscan = off SET enable_indexscan = off
  AS $$
    SELECT a.kind, a.identity FROM public.listing_allowances a
    WHERE array_append(public.grams_of(a.identity), a.listing_id::text) @> array_append(public.grams_covering(part), of_listing::text)
      AND a.identity ILIKE pattern AND a.organization_id = public.current_organization()
    LIMIT most
  $$;
