-- Tokens that holders send to mailboxes. Such a token moves into the custody of one of our operators, and is held there for its recipient until it is
-- taken, or goes back to its sender. Nothing else can be promised of it meanwhile (docs/decisions/0061).
CREATE TYPE "EscrowState" AS ENUM ('WAITING', 'HELD', 'OFFERED', 'TAKEN', 'RETURNING', 'RETURN_REFUSED', 'RETURNED', 'ENDED');
CREATE TABLE escrows (
  -- That of the signed transfer that brings the token.
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  collection_id uuid NOT NULL,
  item_id uuid NOT NULL,
  network_id integer NOT NULL,
  -- The sender, to whom it goes back.
  from_address text NOT NULL,
  -- Whom the transfer is to.
  operator text NOT NULL,
  email text NOT NULL,
  -- What handing it over and returning it may cost, in wei: part of the transfer budget.
  gas_wei numeric(78, 0) NOT NULL,
  state "EscrowState" NOT NULL DEFAULT 'WAITING',
  -- Until when the recipient can take it. NULL until it is offered.
  offered_until timestamptz(3),
  -- Why the sender's address didn't take it back.
  failure text,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  CONSTRAINT escrows_failure CHECK ((state = 'RETURN_REFUSED') = (failure IS NOT NULL)),
  CONSTRAINT escrows_organization_id_id_key UNIQUE (organization_id, id),
  CONSTRAINT escrows_organization_id_id_fkey FOREIGN KEY (organization_id, id)
    REFERENCES signed_transfers (organization_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT escrows_organization_id_collection_id_fkey FOREIGN KEY (organization_id, collection_id)
    REFERENCES collections (organization_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT escrows_organization_id_item_id_fkey FOREIGN KEY (organization_id, item_id)
    REFERENCES items (organization_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX escrows_organization_id_item_id_idx ON escrows (organization_id, item_id);
-- What a mailbox is sent a day.
CREATE INDEX escrows_organization_id_email_created_at_idx ON escrows (organization_id, email, created_at);
CREATE INDEX escrows_open ON escrows (network_id, id) WHERE state IN ('WAITING', 'HELD', 'OFFERED', 'RETURNING', 'RETURN_REFUSED');
-- Tokens that are kept for somebody. An index of nearly nothing: every new claim and mint request is looked up in it.
CREATE INDEX escrows_in_custody ON escrows (item_id) WHERE state IN ('HELD', 'OFFERED', 'RETURNING', 'RETURN_REFUSED');

GRANT SELECT, INSERT, UPDATE, DELETE ON escrows TO vitrine_system, vitrine_app;
ALTER TABLE escrows ENABLE ROW LEVEL SECURITY;
ALTER TABLE escrows FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON escrows TO vitrine_app USING (organization_id = current_organization()) WITH CHECK (organization_id = current_organization());
CREATE POLICY system ON escrows TO vitrine_system USING (true) WITH CHECK (true);

-- As on other rows of collections.
CREATE TRIGGER refuse_live_insert BEFORE INSERT ON escrows FOR EACH ROW
  WHEN (current_setting('vitrine.mode', true) = 'TEST' AND current_setting('vitrine.test_collection', true) IS DISTINCT FROM NEW.collection_id::text)
  EXECUTE FUNCTION refuse_live_of_collection();
CREATE TRIGGER refuse_live_update BEFORE UPDATE ON escrows FOR EACH ROW
  WHEN (current_setting('vitrine.mode', true) = 'TEST' AND (NEW.collection_id IS DISTINCT FROM OLD.collection_id
    OR current_setting('vitrine.test_collection', true) IS DISTINCT FROM OLD.collection_id::text))
  EXECUTE FUNCTION refuse_live_of_collection();
CREATE TRIGGER refuse_live_delete BEFORE DELETE ON escrows FOR EACH ROW
  WHEN (current_setting('vitrine.mode', true) = 'TEST' AND current_setting('vitrine.test_collection', true) IS DISTINCT FROM OLD.collection_id::text)
  EXECUTE FUNCTION refuse_live_of_collection();

-- The escrow whose token a claim gives, and a mint request hands over: to the claim's recipient, or without a claim back to the sender. The rows of
-- before have none, so there is nothing to validate.
ALTER TABLE email_claims ADD COLUMN escrow_id uuid;
ALTER TABLE email_claims ADD CONSTRAINT email_claims_organization_id_escrow_id_fkey FOREIGN KEY (organization_id, escrow_id)
  REFERENCES escrows (organization_id, id) ON DELETE RESTRICT ON UPDATE CASCADE NOT VALID;
ALTER TABLE mint_requests ADD COLUMN escrow_id uuid;
ALTER TABLE mint_requests ADD CONSTRAINT mint_requests_organization_id_escrow_id_fkey FOREIGN KEY (organization_id, escrow_id)
  REFERENCES escrows (organization_id, id) ON DELETE RESTRICT ON UPDATE CASCADE NOT VALID;

-- A listing, a claim and a mint request of an item in escrow are refused, unless they are of that escrow.
CREATE FUNCTION refuse_in_escrow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM escrows e WHERE e.item_id = NEW.item_id AND e.state IN ('HELD', 'OFFERED', 'RETURNING', 'RETURN_REFUSED')) THEN
    RAISE EXCEPTION 'in_escrow' USING ERRCODE = 'VT009';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER refuse_in_escrow BEFORE INSERT ON listings FOR EACH ROW WHEN (NEW.item_id IS NOT NULL) EXECUTE FUNCTION refuse_in_escrow();

CREATE FUNCTION refuse_others_in_escrow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT 1 FROM added a JOIN escrows e ON e.item_id = a.item_id AND e.state IN ('HELD', 'OFFERED', 'RETURNING', 'RETURN_REFUSED')
    -- A completed mint request records what the chain has done already.
    WHERE a.state::text <> 'COMPLETED'
      AND (a.escrow_id IS NULL OR NOT EXISTS (SELECT 1 FROM escrows x WHERE x.id = a.escrow_id AND x.item_id = a.item_id))) THEN
    RAISE EXCEPTION 'in_escrow' USING ERRCODE = 'VT009';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER refuse_others_in_escrow AFTER INSERT ON email_claims
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refuse_others_in_escrow();
CREATE TRIGGER refuse_others_in_escrow AFTER INSERT ON mint_requests
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refuse_others_in_escrow();

-- A claim of an escrow stays the recipient's: nobody sends it to another mailbox, takes its escrow from it or deletes it.
CREATE FUNCTION keep_escrowed_claim() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'in_escrow' USING ERRCODE = 'VT009';
END $$;
CREATE TRIGGER keep_escrowed_claim BEFORE UPDATE ON email_claims FOR EACH ROW
  WHEN (OLD.escrow_id IS NOT NULL AND (NEW.email <> OLD.email OR NEW.escrow_id IS DISTINCT FROM OLD.escrow_id OR NEW.item_id <> OLD.item_id))
  EXECUTE FUNCTION keep_escrowed_claim();
CREATE TRIGGER keep_escrowed_claim_there BEFORE DELETE ON email_claims FOR EACH ROW
  WHEN (OLD.escrow_id IS NOT NULL) EXECUTE FUNCTION keep_escrowed_claim();

-- The escrow for which a holder holds a token, if it does.
CREATE FUNCTION escrow_of_holder(holder "HolderType", of_id uuid) RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT CASE holder::text WHEN 'ESCROW' THEN of_id
    WHEN 'CLAIM' THEN (SELECT c.escrow_id FROM email_claims c WHERE c.id = of_id)
    WHEN 'MINT_REQUEST' THEN (SELECT m.escrow_id FROM mint_requests m WHERE m.id = of_id) END
$$;

-- The hold of a token in escrow isn't given up or deleted, and passes only to the escrow, to its claim, or to a mint request, whose row is refused
-- above unless it is of the escrow. A second hold is refused by the stock rule, since there is one unit.
CREATE FUNCTION keep_escrowed_hold() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE escrow uuid;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM escrows e WHERE e.item_id = OLD.item_id AND e.state IN ('HELD', 'OFFERED', 'RETURNING', 'RETURN_REFUSED')) THEN
    RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
  END IF;
  escrow := escrow_of_holder(OLD.holder_type, OLD.holder_id);
  IF EXISTS (SELECT 1 FROM escrows e WHERE e.id = escrow AND e.state IN ('HELD', 'OFFERED', 'RETURNING', 'RETURN_REFUSED'))
    AND (TG_OP = 'DELETE' OR NEW.state = 'RELEASED'
      OR (NEW.holder_type <> 'MINT_REQUEST' AND escrow_of_holder(NEW.holder_type, NEW.holder_id) IS DISTINCT FROM escrow)) THEN
    RAISE EXCEPTION 'in_escrow' USING ERRCODE = 'VT009';
  END IF;
  RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER keep_escrowed_hold BEFORE UPDATE ON holds FOR EACH ROW
  WHEN (OLD.item_id IS NOT NULL AND (OLD.holder_id <> NEW.holder_id OR OLD.holder_type <> NEW.holder_type OR (NEW.state = 'RELEASED' AND OLD.state <> 'RELEASED')))
  EXECUTE FUNCTION keep_escrowed_hold();
CREATE TRIGGER keep_escrowed_hold_there BEFORE DELETE ON holds FOR EACH ROW
  WHEN (OLD.item_id IS NOT NULL) EXECUTE FUNCTION keep_escrowed_hold();

-- As before; what fails for a token in escrow is told from what is sold out.
CREATE OR REPLACE FUNCTION move_held_units(of_collections uuid[], of_items uuid[], more_held bigint[], more_minting bigint[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  is_fact boolean := pg_has_role(current_user, 'vitrine_system', 'USAGE') AND current_setting('vitrine.chain_facts', true) = 'on';
  pools bigint := (SELECT count(*) FROM unnest(of_items) AS item WHERE item IS NULL);
  moved bigint := 0;
  -- Collections of whose pool something was taken.
  taken_from uuid[] := '{}';
BEGIN
  -- Items come before collections in the order of locks.
  IF cardinality(of_items) > pools THEN
    IF cardinality(of_items) > 1 THEN
      PERFORM 1 FROM items WHERE id = ANY(of_items) ORDER BY id FOR NO KEY UPDATE;
    END IF;
    WITH changed AS (
      UPDATE items i SET held = i.held + change.held, minting = i.minting + change.minting
      FROM unnest(of_items, more_held, more_minting) AS change (item_id, held, minting)
      WHERE i.id = change.item_id AND (change.held <= 0 OR is_fact
        OR (i.locked_at IS NOT NULL AND (i.max_supply IS NULL OR i.minted - kept_units(i) + i.held + change.held <= i.max_supply)))
      RETURNING i.collection_id, change.held, i.kept_by
    )
    SELECT count(*), coalesce(array_agg(DISTINCT collection_id) FILTER (WHERE held > 0 AND kept_by IS NULL AND NOT is_fact), '{}')
      INTO moved, taken_from FROM changed;
    IF moved <> cardinality(of_items) - pools THEN
      IF EXISTS (SELECT 1 FROM escrows e WHERE e.item_id = ANY(of_items) AND e.state IN ('HELD', 'OFFERED', 'RETURNING', 'RETURN_REFUSED')) THEN
        RAISE EXCEPTION 'in_escrow' USING ERRCODE = 'VT009';
      END IF;
      RAISE EXCEPTION 'sold_out' USING ERRCODE = 'VT001';
    END IF;
  END IF;
  IF pools > 0 THEN
    UPDATE collections c SET pool_held = c.pool_held + change.held
    FROM unnest(of_collections, of_items, more_held) AS change (collection_id, item_id, held)
    WHERE change.item_id IS NULL AND c.id = change.collection_id AND (change.held <= 0 OR c.pool_held + change.held <= c.pool_free);
    GET DIAGNOSTICS moved = ROW_COUNT;
    IF moved <> pools THEN RAISE EXCEPTION 'sold_out' USING ERRCODE = 'VT001'; END IF;
  END IF;
  IF taken_from <> '{}' AND EXISTS (SELECT 1 FROM collections WHERE id = ANY(taken_from) AND pool_held > pool_free) THEN
    RAISE EXCEPTION 'sold_out' USING ERRCODE = 'VT001';
  END IF;
END $$;
