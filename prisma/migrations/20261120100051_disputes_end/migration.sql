-- How a dispute at the built-in card provider stands, in Stripe's words; null: there is none.
ALTER TABLE "sandbox_payment_intents" ADD COLUMN "dispute_status" TEXT;
UPDATE "sandbox_payment_intents" SET "dispute_status" = 'needs_response' WHERE "disputed";

-- After a dispute that the seller won, what was held back is sent by a new claim: the revoked one stays for the record.
DROP INDEX email_claims_one_per_purchase_item;
CREATE UNIQUE INDEX email_claims_one_per_purchase_item ON email_claims (purchase_intent_id, item_id)
  WHERE purchase_intent_id IS NOT NULL AND state NOT IN ('REVOKED', 'EXPIRED');
