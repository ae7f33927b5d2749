-- What the dashboard's search looks into. Words of an item's title are found by how they begin; mailboxes and token ids by how they are written.
-- COLLATE "C" makes beginnings a range of the index, whatever the database's own order is.
CREATE INDEX items_by_words ON items USING gin (to_tsvector('simple', coalesce(attributes->>'title', '')));
CREATE INDEX items_by_token ON items (organization_id, token_id) WHERE token_id IS NOT NULL;
CREATE INDEX email_claims_by_mailbox ON email_claims (organization_id, (email COLLATE "C"));
CREATE INDEX purchase_intents_by_mailbox ON purchase_intents (organization_id, (buyer_email COLLATE "C")) WHERE buyer_email IS NOT NULL;

-- Row-level security looks at each row before a condition that might leak it, so that no index of words could be used. This asks past it,
-- for the organization of the transaction alone. Only the index of words may answer: reading every title for words that nobody uses takes seconds.
CREATE FUNCTION search_items(wanted tsquery, most integer) RETURNS TABLE (id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, public SET plan_cache_mode = force_custom_plan SET enable_seqscan = off SET enable_indexscan = off
  AS $$
    SELECT i.id FROM public.items i
    WHERE i.organization_id = (SELECT public.current_organization()) AND to_tsvector('simple', coalesce(i.attributes->>'title', '')) @@ wanted
    LIMIT most
  $$;
GRANT CREATE ON SCHEMA public TO vitrine_system;
ALTER FUNCTION search_items(tsquery, integer) OWNER TO vitrine_system;
REVOKE CREATE ON SCHEMA public FROM vitrine_system;
REVOKE ALL ON FUNCTION search_items(tsquery, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION search_items(tsquery, integer) TO vitrine_app;
