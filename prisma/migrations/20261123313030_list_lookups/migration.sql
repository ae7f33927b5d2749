-- Row-level security looks at each row before a condition that might leak it, so that no index of attributes or of arrays could be used
-- (docs/decisions/0005). These ask past it, for the organization of the transaction alone or for what is published, and give only ids.
-- `most` bounds what is read for a value that many items have.
CREATE FUNCTION items_with(wanted jsonb[], of_collection uuid, most integer) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, public SET plan_cache_mode = force_custom_plan SET enable_seqscan = off SET enable_indexscan = off
  AS $$
    SELECT found.id FROM unnest(wanted) w (value), LATERAL (
      SELECT i.id FROM public.items i
      WHERE i.attributes @> w.value AND i.organization_id = public.current_organization() AND (of_collection IS NULL OR i.collection_id = of_collection)
      LIMIT most) found
    LIMIT most
  $$;
REVOKE ALL ON FUNCTION items_with(jsonb[], uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION items_with(jsonb[], uuid, integer) TO vitrine_app;

CREATE FUNCTION published_items_with(wanted jsonb[], of_organization uuid, of_collections uuid[], most integer) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, public SET plan_cache_mode = force_custom_plan SET enable_seqscan = off SET enable_indexscan = off
  AS $$
    WITH open_collections AS MATERIALIZED (
      SELECT c.id FROM public.collections c
      WHERE c.deployment_status = 'SUCCESS' AND c.is_public AND (c.reveal_strategy = 'INSTANT' OR c.revealed_at IS NOT NULL)
        AND (of_organization IS NULL OR c.organization_id = of_organization) AND (of_collections IS NULL OR c.id = ANY (of_collections)))
    SELECT found.id FROM unnest(wanted) w (value), LATERAL (
      SELECT i.id FROM public.items i
      WHERE i.attributes @> w.value AND i.locked_at IS NOT NULL AND i.collection_id IN (SELECT o.id FROM open_collections o)
      LIMIT most) found
    LIMIT most
  $$;
REVOKE ALL ON FUNCTION published_items_with(jsonb[], uuid, uuid[], integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION published_items_with(jsonb[], uuid, uuid[], integer) TO vitrine_public;

-- Mint requests that a split moved away from a transaction.
CREATE FUNCTION mint_requests_moved_from(transaction_id uuid) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public SET enable_seqscan = off
  AS $$
    SELECT m.id FROM public.mint_requests m
    WHERE m.past_transaction_ids @> ARRAY[mint_requests_moved_from.transaction_id] AND m.organization_id = public.current_organization()
  $$;
REVOKE ALL ON FUNCTION mint_requests_moved_from(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION mint_requests_moved_from(uuid) TO vitrine_app;
