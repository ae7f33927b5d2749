-- Transfers that holders signed, which our operator sends and pays for.
CREATE TYPE "SignedTransferState" AS ENUM ('PENDING', 'SUBMITTED', 'COMPLETED', 'FAILED');
CREATE TABLE signed_transfers (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  collection_id uuid NOT NULL,
  item_id uuid NOT NULL,
  transaction_id uuid NOT NULL,
  network_id integer NOT NULL,
  token_id text NOT NULL,
  quantity bigint NOT NULL,
  from_address text NOT NULL,
  to_address text NOT NULL,
  -- The contract takes each nonce of a holder once.
  nonce numeric(78, 0) NOT NULL,
  -- Unix seconds.
  deadline bigint NOT NULL,
  signature text NOT NULL,
  -- It can't have been delivered below this block.
  since_block bigint NOT NULL,
  state "SignedTransferState" NOT NULL DEFAULT 'PENDING',
  failure_code text,
  failure text,
  tx_hash text,
  completed_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  CONSTRAINT signed_transfers_quantity CHECK (quantity > 0),
  CONSTRAINT signed_transfers_failure CHECK ((state = 'FAILED') = (failure_code IS NOT NULL) AND (failure_code IS NULL) = (failure IS NULL)),
  CONSTRAINT signed_transfers_organization_id_id_key UNIQUE (organization_id, id),
  CONSTRAINT signed_transfers_organization_id_transaction_id_key UNIQUE (organization_id, transaction_id),
  CONSTRAINT signed_transfers_collection_id_from_address_nonce_key UNIQUE (collection_id, from_address, nonce),
  CONSTRAINT signed_transfers_organization_id_collection_id_fkey FOREIGN KEY (organization_id, collection_id)
    REFERENCES collections (organization_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT signed_transfers_organization_id_item_id_fkey FOREIGN KEY (organization_id, item_id)
    REFERENCES items (organization_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT signed_transfers_organization_id_transaction_id_fkey FOREIGN KEY (organization_id, transaction_id)
    REFERENCES transactions (organization_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX signed_transfers_organization_id_item_id_idx ON signed_transfers (organization_id, item_id);
-- What a day's budget counts.
CREATE INDEX signed_transfers_of_day ON signed_transfers (organization_id, network_id, created_at);
CREATE INDEX signed_transfers_pending ON signed_transfers (network_id, deadline) WHERE state = 'PENDING';

-- What an organization pays a day for the gas of such transfers on a network.
CREATE TABLE transfer_budgets (
  organization_id uuid NOT NULL,
  network_id integer NOT NULL,
  -- NULL: what is usual for the network.
  daily_wei numeric(78, 0),
  updated_at timestamptz(3) NOT NULL,
  CONSTRAINT transfer_budgets_pkey PRIMARY KEY (organization_id, network_id)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON signed_transfers, transfer_budgets TO vitrine_system, vitrine_app;
ALTER TABLE signed_transfers ENABLE ROW LEVEL SECURITY;
ALTER TABLE signed_transfers FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON signed_transfers TO vitrine_app USING (organization_id = current_organization()) WITH CHECK (organization_id = current_organization());
CREATE POLICY system ON signed_transfers TO vitrine_system USING (true) WITH CHECK (true);
ALTER TABLE transfer_budgets ENABLE ROW LEVEL SECURITY;
ALTER TABLE transfer_budgets FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON transfer_budgets TO vitrine_app USING (organization_id = current_organization()) WITH CHECK (organization_id = current_organization());
CREATE POLICY system ON transfer_budgets TO vitrine_system USING (true) WITH CHECK (true);

CREATE TRIGGER refuse_suspended BEFORE INSERT ON signed_transfers FOR EACH ROW EXECUTE FUNCTION refuse_suspended();
