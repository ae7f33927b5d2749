-- What the chain says of a voucher. The indexer writes a row in its own transaction; each is applied to the voucher and its claim or purchase in
-- a transaction of its own, which deletes it. A voucher's facts are applied in the order of their ids.
CREATE TYPE "VoucherFactType" AS ENUM ('REDEEMED', 'UNREDEEMED', 'CANCELLED');
CREATE TABLE "voucher_facts" (
    "id" BIGSERIAL NOT NULL,
    "organization_id" UUID NOT NULL,
    "network_id" INTEGER NOT NULL,
    "voucher_id" UUID NOT NULL,
    "type" "VoucherFactType" NOT NULL,
    "tx_hash" TEXT NOT NULL,
    "block_number" BIGINT NOT NULL,
    "log_index" INTEGER NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_try_at" TIMESTAMPTZ(3) NOT NULL,
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "voucher_facts_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "voucher_facts_voucher_id_id_idx" ON "voucher_facts"("voucher_id", "id");
CREATE INDEX "voucher_facts_network_id_next_try_at_idx" ON "voucher_facts"("network_id", "next_try_at");
ALTER TABLE "voucher_facts" ADD CONSTRAINT "voucher_facts_organization_id_voucher_id_fkey" FOREIGN KEY ("organization_id", "voucher_id") REFERENCES "vouchers"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Rows of any table that a timer failed at. Such a row is left out until its next try, and deleted from here when it succeeds.
CREATE TABLE "row_tries" (
    "kind" TEXT NOT NULL,
    "row_id" TEXT NOT NULL,
    "organization_id" UUID,
    "attempts" INTEGER NOT NULL,
    "next_try_at" TIMESTAMPTZ(3) NOT NULL,
    "last_error" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "row_tries_pkey" PRIMARY KEY ("kind", "row_id")
);

GRANT SELECT, INSERT, UPDATE, DELETE ON voucher_facts, row_tries TO vitrine_system;
GRANT USAGE ON SEQUENCE voucher_facts_id_seq TO vitrine_system;
GRANT SELECT ON voucher_facts TO vitrine_app;
ALTER TABLE voucher_facts ENABLE ROW LEVEL SECURITY;
ALTER TABLE voucher_facts FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON voucher_facts TO vitrine_app USING (organization_id = (SELECT current_organization())) WITH CHECK (organization_id = (SELECT current_organization()));
CREATE POLICY system ON voucher_facts TO vitrine_system USING (true) WITH CHECK (true);

-- The voucher that a mint redeemed, so that undoing the mint undoes the redemption, whether or not it was applied yet.
ALTER TABLE "item_history" ADD COLUMN "voucher_id" UUID;
UPDATE item_history h SET voucher_id = pair.voucher_id
FROM (
  SELECT m.id, v.id AS voucher_id
  FROM (SELECT *, row_number() OVER (PARTITION BY item_id, tx_hash, to_address, quantity ORDER BY id) AS place FROM item_history WHERE type = 'MINT') m
  JOIN (SELECT *, row_number() OVER (PARTITION BY item_id, tx_hash, minter, quantity ORDER BY nonce) AS place FROM vouchers WHERE state = 'REDEEMED') v
    ON v.item_id = m.item_id AND v.tx_hash = m.tx_hash AND v.minter = m.to_address AND v.quantity = m.quantity AND v.place = m.place
) pair
WHERE h.id = pair.id;
CREATE INDEX item_history_of_voucher ON item_history (voucher_id) WHERE voucher_id IS NOT NULL;

-- Cancellations whose block wasn't final yet. Nonces are below 2^63, and equally long hexadecimal words compare like their numbers.
INSERT INTO voucher_facts (organization_id, network_id, voucher_id, type, tx_hash, block_number, log_index, next_try_at)
SELECT v.organization_id, l.network_id, v.id, 'CANCELLED', l.tx_hash, l.block_number, l.log_index, now()
FROM chain_logs l
JOIN collections c ON c.id = l.collection_id
JOIN vouchers v ON v.collection_id = l.collection_id AND v.state = 'PENDING'
WHERE l.topics[1] = '0xdc6ab28b8e3feb0d722f6e25d8f5a1e1b294e437da077691357f5b916b2a7ce7' AND array_length(l.topics, 1) = 3
  AND CASE WHEN c.token_type = 'ERC1155' THEN lower(substr(l.topics[3], 3)) = lpad(to_hex(v.nonce), 64, '0')
    WHEN length(v.token_id) <= 18 THEN lower(substr(l.topics[2], 3)) = lpad(to_hex(v.token_id::bigint), 64, '0')
      AND lpad(to_hex(v.nonce), 64, '0') <= lower(substr(l.topics[3], 3))
    ELSE false END
ORDER BY l.block_number, l.log_index;
DROP INDEX chain_logs_voucher_cancelled;

-- What each round of the indexer looks up.
DROP INDEX item_history_strays;
CREATE INDEX item_history_unmatched ON item_history (network_id, collection_id, token_id, id) WHERE item_id IS NULL;
CREATE INDEX collections_external ON collections (network_id) WHERE deployment_type = 'EXTERNAL';
CREATE INDEX collections_behind ON collections (network_id, following, updated_at);
CREATE INDEX listings_open ON listings (collection_id, item_id) WHERE status IN ('DRAFT', 'SCHEDULED', 'ACTIVE', 'PAUSED');
CREATE INDEX holds_of_item ON holds (item_id) WHERE state IN ('HELD', 'EXCEPTION');
CREATE INDEX vouchers_of_token ON vouchers (collection_id, token_id);
CREATE INDEX vouchers_of_item ON vouchers (item_id);
