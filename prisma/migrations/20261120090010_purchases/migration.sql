-- Where a purchase's units are counted: among its listing's open ones, among the confirmed ones, or not at all any more.
CREATE TYPE "IntentUnits" AS ENUM ('OPEN', 'CONFIRMED', 'RETURNED');
ALTER TABLE "purchase_intents" ADD COLUMN "units_state" "IntentUnits" NOT NULL DEFAULT 'OPEN';
-- The proof of work that came with it: each is good for one purchase.
ALTER TABLE "purchase_intents" ADD COLUMN "proof_hash" BYTEA;
CREATE UNIQUE INDEX "purchase_intents_proof_hash_key" ON "purchase_intents"("proof_hash");

-- What is left to be done for a purchase that was paid.
CREATE INDEX purchase_intents_unsettled ON purchase_intents (updated_at) WHERE status = 'CONFIRMED' AND fulfillment_status IN ('PENDING', 'EXCEPTION');
CREATE INDEX mint_requests_purchase ON mint_requests (purchase_intent_id) WHERE purchase_intent_id IS NOT NULL;
CREATE INDEX purchase_units_item ON purchase_units (item_id);
