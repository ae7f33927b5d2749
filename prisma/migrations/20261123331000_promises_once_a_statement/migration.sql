-- What every new hold and mint request must be is asked once a statement, for the collections it is of: a batch of purchases inserts many of one.
-- The lock that a suspension takes alone is still held shared until the end of the transaction, and taken before is_suspended looks.

DROP TRIGGER refuse_suspended ON mint_requests;
CREATE FUNCTION refuse_suspended_mints() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- A completed one records what the chain has done already.
  IF EXISTS (SELECT 1 FROM (SELECT DISTINCT organization_id, collection_id FROM added WHERE state <> 'COMPLETED') AS place
      WHERE is_suspended_until_commit(place.organization_id, place.collection_id)) THEN
    RAISE EXCEPTION 'suspended' USING ERRCODE = 'VT005';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER refuse_suspended AFTER INSERT ON mint_requests
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refuse_suspended_mints();

DROP TRIGGER refuse_suspended ON holds;
DROP FUNCTION refuse_suspended_hold();
DROP TRIGGER assert_promisable ON holds;
CREATE OR REPLACE FUNCTION assert_promisable() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE place record;
BEGIN
  IF pg_has_role(current_user, 'vitrine_system', 'USAGE') AND current_setting('vitrine.chain_facts', true) = 'on' THEN RETURN NULL; END IF;
  -- A purchase that was found at the card provider was promised before.
  FOR place IN SELECT DISTINCT organization_id, collection_id FROM added LOOP
    IF is_suspended_until_commit(place.organization_id, place.collection_id) AND EXISTS (
      SELECT 1 FROM added WHERE organization_id = place.organization_id AND collection_id = place.collection_id
        AND NOT EXISTS (SELECT 1 FROM purchase_intents p WHERE p.id = added.holder_id AND p.recovered_at IS NOT NULL)) THEN
      RAISE EXCEPTION 'suspended' USING ERRCODE = 'VT005';
    END IF;
  END LOOP;
  IF EXISTS (
    SELECT 1 FROM added JOIN collections c ON c.id = added.collection_id
    WHERE added.holder_type <> 'LISTING' AND c.promises_from > added.created_at
      AND NOT EXISTS (SELECT 1 FROM purchase_intents p WHERE p.id = added.holder_id AND p.recovered_at IS NOT NULL)) THEN
    RAISE EXCEPTION 'promises_wait' USING ERRCODE = 'VT004';
  END IF;
  RETURN NULL;
END $$;
-- Triggers of a statement run in the order of their names: before holds_added counts the units.
CREATE TRIGGER assert_promisable AFTER INSERT ON holds
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION assert_promisable();
