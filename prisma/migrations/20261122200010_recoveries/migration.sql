-- The database was put back from a backup, and the chain knows more than the books: a lane (an operator on a network) sends nothing, and nothing of its
-- network expires or is refunded, until the index has reached `until_block`.
CREATE TABLE "recoveries" (
    "id" UUID NOT NULL,
    "network_id" INTEGER NOT NULL,
    "operator" TEXT NOT NULL,
    "until_block" BIGINT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "recoveries_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "recoveries_one_open" ON "recoveries"("network_id", "operator") WHERE ended_at IS NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON recoveries TO vitrine_system;
GRANT SELECT ON recoveries TO vitrine_app;

-- Mints on our own contracts, and transfers by our operators, that no promise in the books explains. `id`: of the move in item_history.
CREATE TYPE "UnmatchedMintState" AS ENUM ('UNCHECKED', 'OURS', 'FOREIGN', 'MATCHED', 'SETTLED');
CREATE TABLE "unmatched_mints" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "collection_id" UUID NOT NULL,
    "item_id" UUID NOT NULL,
    "network_id" INTEGER NOT NULL,
    "block_number" BIGINT NOT NULL,
    "tx_hash" TEXT NOT NULL,
    "to_address" TEXT NOT NULL,
    "quantity" BIGINT NOT NULL,
    "state" "UnmatchedMintState" NOT NULL DEFAULT 'UNCHECKED',
    "hold_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "unmatched_mints_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "unmatched_mints_open" ON "unmatched_mints"("network_id", "state", "block_number") WHERE state IN ('UNCHECKED', 'OURS');
CREATE INDEX "unmatched_mints_item_id_idx" ON "unmatched_mints"("item_id");
ALTER TABLE "unmatched_mints" ADD CONSTRAINT "unmatched_mints_organization_id_item_id_fkey" FOREIGN KEY ("organization_id", "item_id") REFERENCES "items"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
GRANT SELECT, INSERT, UPDATE, DELETE ON unmatched_mints TO vitrine_system;
GRANT SELECT, UPDATE ON unmatched_mints TO vitrine_app;
ALTER TABLE unmatched_mints ENABLE ROW LEVEL SECURITY;
ALTER TABLE unmatched_mints FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON unmatched_mints TO vitrine_app USING (organization_id = (SELECT current_organization())) WITH CHECK (organization_id = (SELECT current_organization()));
CREATE POLICY system ON unmatched_mints TO vitrine_system USING (true) WITH CHECK (true);

-- `request_id_floor`: numbers from here on were given after the last recovery began. `promises_from`: vouchers that the books don't know may be valid
-- until then, so that no unit is promised before.
ALTER TABLE "collections" ADD COLUMN "request_id_floor" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "collections" ADD COLUMN "promises_from" TIMESTAMPTZ(3);

CREATE FUNCTION assert_promisable() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_user = 'vitrine_system' AND current_setting('vitrine.chain_facts', true) = 'on' THEN RETURN NULL; END IF;
  -- A purchase that was found at the card provider was promised before.
  IF EXISTS (SELECT 1 FROM collections WHERE id = NEW.collection_id AND promises_from > NEW.created_at)
    AND NOT EXISTS (SELECT 1 FROM purchase_intents WHERE id = NEW.holder_id AND recovered_at IS NOT NULL) THEN
    RAISE EXCEPTION 'promises_wait' USING ERRCODE = 'VT004';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER assert_promisable AFTER INSERT ON holds FOR EACH ROW WHEN (NEW.holder_type <> 'LISTING') EXECUTE FUNCTION assert_promisable();
