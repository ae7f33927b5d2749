-- When a complete listing of the account's payments began in which every payment was known: the next one starts a little before. No payment made
-- before this migration carries what is needed to recognize it, so existing accounts start now.
ALTER TABLE payment_integrations ADD COLUMN listed_at timestamptz(3);
-- When a payment was last found there that the books didn't have; null: the books are complete. Refunds and expiries of the account wait meanwhile.
ALTER TABLE payment_integrations ADD COLUMN recovering_since timestamptz(3);
ALTER TABLE payment_integrations NO FORCE ROW LEVEL SECURITY;
UPDATE payment_integrations SET listed_at = now();
ALTER TABLE payment_integrations FORCE ROW LEVEL SECURITY;

-- A purchase that was recreated from its payment at the card provider. Who bought it isn't known any more.
ALTER TABLE purchase_intents ADD COLUMN recovered_at timestamptz(3);
ALTER TABLE purchase_intents DROP CONSTRAINT purchase_intents_has_buyer;
ALTER TABLE purchase_intents ADD CONSTRAINT purchase_intents_has_buyer CHECK (buyer_email IS NOT NULL OR buyer_address IS NOT NULL OR recovered_at IS NOT NULL);

-- Payments that carry our mark and weren't in the books when they were found at the provider: the database was put back from a backup.
-- RECOVERED: its purchase was recreated. UNMATCHED: it couldn't be. CANCELLED: nothing was paid, and nothing can be.
CREATE TYPE "LostPaymentOutcome" AS ENUM ('RECOVERED', 'UNMATCHED', 'CANCELLED');
CREATE TABLE "lost_payments" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "integration_id" UUID NOT NULL,
    "account_id" TEXT NOT NULL,
    "provider_id" TEXT NOT NULL,
    "payment_id" UUID NOT NULL,
    "intent_id" UUID NOT NULL,
    "listing_id" UUID NOT NULL,
    "quantity" BIGINT NOT NULL,
    "amount_minor" BIGINT NOT NULL,
    "refunded_minor" BIGINT NOT NULL DEFAULT 0,
    "currency" TEXT NOT NULL,
    "outcome" "LostPaymentOutcome" NOT NULL,
    "refunded_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "lost_payments_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "lost_payments_organization_id_id_key" ON "lost_payments"("organization_id", "id");
CREATE UNIQUE INDEX "lost_payments_account_id_provider_id_key" ON "lost_payments"("account_id", "provider_id");
ALTER TABLE "lost_payments" ADD CONSTRAINT "lost_payments_organization_id_integration_id_fkey" FOREIGN KEY ("organization_id", "integration_id") REFERENCES "payment_integrations"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

GRANT SELECT, INSERT, UPDATE, DELETE ON lost_payments TO vitrine_system;
GRANT SELECT, INSERT, UPDATE ON lost_payments TO vitrine_app;
ALTER TABLE lost_payments ENABLE ROW LEVEL SECURITY;
ALTER TABLE lost_payments FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON lost_payments TO vitrine_app USING (organization_id = (SELECT current_organization())) WITH CHECK (organization_id = (SELECT current_organization()));
CREATE POLICY system ON lost_payments TO vitrine_system USING (true) WITH CHECK (true);

-- The built-in card provider lists an account's payments, newest first.
CREATE INDEX "sandbox_payment_intents_account_id_created_at_id_idx" ON "sandbox_payment_intents"("account_id", "created_at", "id");
