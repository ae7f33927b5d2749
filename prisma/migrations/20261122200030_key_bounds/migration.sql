-- What an API key in TEST mode may not change. A request with such a key sets vitrine.mode to TEST in each of its transactions.

-- The ids among the fields of an import's line.
CREATE FUNCTION ids_in(fields jsonb) RETURNS SETOF uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT id::uuid FROM jsonb_each_text(fields) f,
    LATERAL substring(lower(f.value) FROM '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}') id WHERE id IS NOT NULL
$$;

-- Whether one of these ids is that of an item of a collection on a network that isn't a test network.
CREATE FUNCTION any_live(item_ids uuid[]) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM items i JOIN collections c ON c.id = i.collection_id WHERE i.id = ANY (item_ids) AND c.mode = 'LIVE')
$$;

-- Whether a row belongs to a collection on a network that isn't a test network, to what is sold there, or to a card account or key for it.
-- `r` is the row of `of_table` as JSON, with the columns' names.
CREATE FUNCTION is_live(of_table text, r jsonb) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE
  row_id uuid := r ->> 'id';
BEGIN
  RETURN CASE
    WHEN r ? 'mode' THEN coalesce(r ->> 'mode' = 'LIVE', false)
    WHEN r ? 'collection_id' THEN EXISTS (SELECT 1 FROM collections c WHERE c.id = (r ->> 'collection_id')::uuid AND c.mode = 'LIVE')
    WHEN of_table = 'campaigns' THEN
      EXISTS (SELECT 1 FROM email_claims e JOIN collections c ON c.id = e.collection_id WHERE e.campaign_id = row_id AND c.mode = 'LIVE')
      OR EXISTS (SELECT 1 FROM listings l WHERE l.campaign_id = row_id AND l.mode = 'LIVE')
    WHEN of_table = 'item_types' THEN
      EXISTS (SELECT 1 FROM collections c WHERE c.default_item_type_id = row_id AND c.mode = 'LIVE')
      OR EXISTS (SELECT 1 FROM items i JOIN collections c ON c.id = i.collection_id WHERE i.item_type_id = row_id AND c.mode = 'LIVE')
    WHEN of_table = 'imports' THEN
      EXISTS (SELECT 1 FROM collections c WHERE c.id = (r -> 'options' ->> 'collection_id')::uuid AND c.mode = 'LIVE')
      OR EXISTS (SELECT 1 FROM items i JOIN collections c ON c.id = i.collection_id WHERE i.id = (r -> 'options' ->> 'item_id')::uuid AND c.mode = 'LIVE')
      OR CASE WHEN r ->> 'kind' = 'EMAIL_CLAIMS' THEN any_live(ARRAY(
        SELECT DISTINCT named FROM import_rows line, ids_in(line.fields) named WHERE line.import_id = row_id)) ELSE false END
    WHEN r ? 'claim_id' THEN
      EXISTS (SELECT 1 FROM email_claims e JOIN collections c ON c.id = e.collection_id WHERE e.id = (r ->> 'claim_id')::uuid AND c.mode = 'LIVE')
    WHEN r ? 'listing_id' THEN EXISTS (SELECT 1 FROM listings l WHERE l.id = (r ->> 'listing_id')::uuid AND l.mode = 'LIVE')
    WHEN r ? 'intent_id' THEN EXISTS (SELECT 1 FROM purchase_intents p WHERE p.id = (r ->> 'intent_id')::uuid AND p.mode = 'LIVE')
    WHEN r ? 'item_id' THEN
      EXISTS (SELECT 1 FROM items i JOIN collections c ON c.id = i.collection_id WHERE i.id = (r ->> 'item_id')::uuid AND c.mode = 'LIVE')
    WHEN r ? 'snapshot_id' THEN
      EXISTS (SELECT 1 FROM snapshots s JOIN collections c ON c.id = s.collection_id WHERE s.id = (r ->> 'snapshot_id')::uuid AND c.mode = 'LIVE')
    WHEN r ? 'transaction_id' THEN
      EXISTS (SELECT 1 FROM transactions t JOIN collections c ON c.id = t.collection_id WHERE t.id = (r ->> 'transaction_id')::uuid AND c.mode = 'LIVE')
    ELSE false
  END;
END $$;

CREATE FUNCTION refuse_live() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND is_live(TG_TABLE_NAME, to_jsonb(OLD)) OR TG_OP <> 'DELETE' AND is_live(TG_TABLE_NAME, to_jsonb(NEW)) THEN
    RAISE EXCEPTION 'mode_mismatch' USING ERRCODE = 'VT003';
  END IF;
  IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
  RETURN NEW;
END $$;

-- An import has thousands of lines, so those of a statement are asked together. A line changes only together with its import.
CREATE FUNCTION refuse_live_lines() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF any_live(ARRAY(
    SELECT DISTINCT named FROM added line JOIN imports m ON m.id = line.import_id AND m.kind = 'EMAIL_CLAIMS', ids_in(line.fields) named)) THEN
    RAISE EXCEPTION 'mode_mismatch' USING ERRCODE = 'VT003';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER refuse_live AFTER INSERT ON import_rows REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  WHEN (current_setting('vitrine.mode', true) = 'TEST') EXECUTE FUNCTION refuse_live_lines();

DO $$
DECLARE table_name text;
BEGIN
  FOREACH table_name IN ARRAY ARRAY[
    'api_keys', 'collections', 'item_types', 'items', 'item_history', 'item_owners', 'holds', 'campaigns', 'email_claims', 'claim_tokens', 'pins',
    'vouchers', 'transactions', 'signed_transactions', 'mint_requests', 'outbox_messages', 'listings', 'listing_allowances', 'listing_buyers',
    'snapshots', 'snapshot_holders', 'purchase_intents', 'purchase_units', 'payment_integrations', 'payments', 'imports'] LOOP
    EXECUTE format($f$CREATE TRIGGER refuse_live BEFORE INSERT OR UPDATE OR DELETE ON %I FOR EACH ROW
      WHEN (current_setting('vitrine.mode', true) = 'TEST') EXECUTE FUNCTION refuse_live()$f$, table_name);
  END LOOP;
END $$;

-- Wrong PINs at the claim's current link, over all time. Of links that were issued before, as many as their PINs still tell; the next one locks
-- a claim that had too many already.
ALTER TABLE "email_claims" ADD COLUMN "link_wrong_pins" INTEGER NOT NULL DEFAULT 0;
-- Forced row-level security hides all rows from the owner of the tables too.
ALTER TABLE email_claims NO FORCE ROW LEVEL SECURITY;
ALTER TABLE claim_tokens NO FORCE ROW LEVEL SECURITY;
ALTER TABLE pins NO FORCE ROW LEVEL SECURITY;
UPDATE email_claims e SET link_wrong_pins = least(49, tries.wrong)
FROM (
  SELECT t.claim_id, t.generation, sum(p.wrong_tries)::integer AS wrong
  FROM claim_tokens t JOIN pins p ON p.claim_id = t.claim_id AND p.created_at >= t.created_at
  GROUP BY t.claim_id, t.generation
) tries
WHERE tries.claim_id = e.id AND tries.generation = e.generation;
ALTER TABLE email_claims FORCE ROW LEVEL SECURITY;
ALTER TABLE claim_tokens FORCE ROW LEVEL SECURITY;
ALTER TABLE pins FORCE ROW LEVEL SECURITY;
ALTER TABLE email_claims ADD CONSTRAINT email_claims_link_tries_at_most_50 CHECK (link_wrong_pins BETWEEN 0 AND 50);
