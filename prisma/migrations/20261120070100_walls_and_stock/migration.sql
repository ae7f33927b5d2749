-- What Prisma's schema can't say: the roles and walls between organizations, the stock rule, partial indexes.

-- Three roles that own nothing. Processes connect as the installation's user and become one of them.
--   vitrine_app     one organization at a time (vitrine.organization_id, set per transaction)
--   vitrine_system  sign-in, workers, look-ups by secret
--   vitrine_public  reads what is published
DO $$
DECLARE role_name text;
BEGIN
  FOREACH role_name IN ARRAY ARRAY['vitrine_app', 'vitrine_system', 'vitrine_public'] LOOP
    BEGIN
      IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = role_name) THEN
        EXECUTE format('CREATE ROLE %I NOLOGIN', role_name);
      END IF;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; -- two databases of one cluster migrated at once
    END;
    EXECUTE format('GRANT %I TO CURRENT_USER', role_name);
    EXECUTE format('GRANT USAGE ON SCHEMA public TO %I', role_name);
  END LOOP;
END $$;

GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO vitrine_system;
GRANT SELECT, UPDATE ON organizations TO vitrine_app;
GRANT SELECT ON members, chain_logs TO vitrine_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON
  api_keys, item_types, collections, items, holds, campaigns, email_claims, claim_tokens, pins, vouchers, transactions, signed_transactions,
  mint_requests, item_history, item_owners, outbox_messages, alarms, idempotency_records
  TO vitrine_app;
GRANT SELECT, INSERT ON events, audit_entries TO vitrine_app;
GRANT SELECT ON collections, items, item_history, item_owners, vouchers TO vitrine_public;

CREATE FUNCTION current_organization() RETURNS uuid LANGUAGE sql STABLE
  AS $$ SELECT nullif(current_setting('vitrine.organization_id', true), '')::uuid $$;

DO $$
DECLARE table_name text;
BEGIN
  FOREACH table_name IN ARRAY ARRAY[
    'members', 'api_keys', 'item_types', 'collections', 'items', 'holds', 'campaigns', 'email_claims', 'claim_tokens', 'pins', 'vouchers',
    'transactions', 'signed_transactions', 'mint_requests', 'chain_logs', 'item_history', 'item_owners', 'outbox_messages', 'events',
    'audit_entries', 'alarms'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', table_name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', table_name);
    EXECUTE format('CREATE POLICY organization ON %I TO vitrine_app USING (organization_id = (SELECT current_organization())) WITH CHECK (organization_id = (SELECT current_organization()))', table_name);
    EXECUTE format('CREATE POLICY system ON %I TO vitrine_system USING (true) WITH CHECK (true)', table_name);
  END LOOP;
END $$;

ALTER TABLE organizations ENABLE ROW LEVEL SECURITY;
ALTER TABLE organizations FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON organizations TO vitrine_app USING (id = (SELECT current_organization())) WITH CHECK (id = (SELECT current_organization()));
CREATE POLICY system ON organizations TO vitrine_system USING (true) WITH CHECK (true);

-- Whatever is deployed stands on a public chain; whether a private collection is listed is the scoped client's business.
CREATE POLICY published ON collections FOR SELECT TO vitrine_public USING (deployment_status = 'SUCCESS');
CREATE POLICY published ON items FOR SELECT TO vitrine_public
  USING (locked_at IS NOT NULL AND EXISTS (SELECT 1 FROM collections c WHERE c.id = collection_id));
CREATE POLICY published ON item_history FOR SELECT TO vitrine_public USING (EXISTS (SELECT 1 FROM items i WHERE i.id = item_id));
CREATE POLICY published ON item_owners FOR SELECT TO vitrine_public USING (EXISTS (SELECT 1 FROM items i WHERE i.id = item_id));
CREATE POLICY published ON vouchers FOR SELECT TO vitrine_public USING (state = 'PENDING');

-- The stock rule: for every item minted + held <= max_supply, and a collection's pool holds never more than its free units.
-- It guards every hold; it never guards what the chain says (a foreign mint is recorded whatever the rule says).
ALTER TABLE holds ADD CONSTRAINT holds_quantity_positive CHECK (quantity > 0);
ALTER TABLE items ADD CONSTRAINT items_counters_sane CHECK (held >= 0 AND minting >= 0 AND minting <= held AND minted >= 0 AND burned >= 0);
ALTER TABLE items ADD CONSTRAINT items_locked_has_token CHECK ((locked_at IS NULL) = (token_id IS NULL));
ALTER TABLE collections ADD CONSTRAINT collections_pool_sane CHECK (pool_held >= 0 AND pool_free >= 0);
ALTER TABLE transactions ADD CONSTRAINT transactions_mints_at_most_100 CHECK (mint_count BETWEEN 0 AND 100);
ALTER TABLE email_claims ADD CONSTRAINT email_claims_tries_at_most_20 CHECK (wrong_pins BETWEEN 0 AND 20);
ALTER TABLE pins ADD CONSTRAINT pins_tries_at_most_5 CHECK (wrong_tries BETWEEN 0 AND 5);

CREATE FUNCTION hold_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was bigint := CASE WHEN TG_OP <> 'INSERT' AND OLD.state = 'HELD' THEN OLD.quantity ELSE 0 END;
  becomes bigint := CASE WHEN TG_OP <> 'DELETE' AND NEW.state = 'HELD' THEN NEW.quantity ELSE 0 END;
  was_minting bigint := CASE WHEN was > 0 AND OLD.holder_type = 'MINT_REQUEST' THEN was ELSE 0 END;
  becomes_minting bigint := CASE WHEN becomes > 0 AND NEW.holder_type = 'MINT_REQUEST' THEN becomes ELSE 0 END;
  more bigint := becomes - was;
  of_item uuid := CASE WHEN TG_OP = 'DELETE' THEN OLD.item_id ELSE NEW.item_id END;
  of_collection uuid := CASE WHEN TG_OP = 'DELETE' THEN OLD.collection_id ELSE NEW.collection_id END;
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.item_id IS DISTINCT FROM NEW.item_id OR OLD.collection_id <> NEW.collection_id) THEN
    RAISE EXCEPTION 'A hold never changes its item.';
  END IF;
  IF of_item IS NULL THEN
    UPDATE collections SET pool_held = pool_held + more WHERE id = of_collection AND (more <= 0 OR pool_held + more <= pool_free);
    IF NOT FOUND THEN RAISE EXCEPTION 'sold_out' USING ERRCODE = 'VT001'; END IF;
    RETURN NULL;
  END IF;
  UPDATE items SET held = held + more, minting = minting + becomes_minting - was_minting
    WHERE id = of_item
      AND (more <= 0 OR (locked_at IS NOT NULL AND (max_supply IS NULL OR minted + held + more <= max_supply)));
  IF NOT FOUND THEN RAISE EXCEPTION 'sold_out' USING ERRCODE = 'VT001'; END IF;
  IF more > 0 AND EXISTS (SELECT 1 FROM collections WHERE id = of_collection AND pool_held > pool_free) THEN
    RAISE EXCEPTION 'sold_out' USING ERRCODE = 'VT001';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER hold_changed AFTER INSERT OR UPDATE OR DELETE ON holds FOR EACH ROW EXECUTE FUNCTION hold_changed();

-- Units of an item that nobody holds and that are not minted. Unlimited items belong to no pool.
CREATE FUNCTION free_units(i items) RETURNS bigint LANGUAGE sql IMMUTABLE
  AS $$ SELECT CASE WHEN i.locked_at IS NULL OR i.max_supply IS NULL THEN 0 ELSE greatest(0, i.max_supply - i.minted - i.held) END $$;

CREATE FUNCTION item_stock_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE more bigint := free_units(NEW) - free_units(OLD);
BEGIN
  IF more <> 0 THEN UPDATE collections SET pool_free = pool_free + more WHERE id = NEW.collection_id; END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER item_stock_changed AFTER UPDATE OF locked_at, max_supply, held, minted ON items FOR EACH ROW EXECUTE FUNCTION item_stock_changed();

-- One of a kind.
CREATE UNIQUE INDEX holds_one_per_holder ON holds (holder_type, holder_id, item_id) NULLS NOT DISTINCT WHERE state = 'HELD';
CREATE UNIQUE INDEX pins_one_open ON pins (claim_id) WHERE state = 'OPEN';
CREATE UNIQUE INDEX mint_requests_one_live_per_claim ON mint_requests (claim_id) WHERE state IN ('WAITING', 'SUBMITTED', 'COMPLETED');
CREATE UNIQUE INDEX vouchers_one_pending_per_claim ON vouchers (claim_id) WHERE state = 'PENDING';
CREATE UNIQUE INDEX alarms_one_open ON alarms (kind, subject) WHERE resolved_at IS NULL;
CREATE UNIQUE INDEX transactions_one_deployment ON transactions (collection_id) WHERE tx_type = 'DEPLOY_TOKEN_CONTRACT' AND state IN ('PENDING', 'SUBMITTED');
CREATE INDEX transactions_open ON transactions (network_id, created_at) WHERE state IN ('PENDING', 'SUBMITTED');
CREATE INDEX mint_requests_past_transactions ON mint_requests USING gin (past_transaction_ids);
CREATE INDEX email_claims_expiring ON email_claims (expires_at) WHERE state IN ('OPEN', 'LOCKED');
CREATE INDEX items_attributes ON items USING gin (attributes jsonb_path_ops);
