-- CreateEnum
CREATE TYPE "ListingStatus" AS ENUM ('DRAFT', 'SCHEDULED', 'ACTIVE', 'PAUSED', 'COMPLETE', 'CANCELLED', 'EXPIRED');

-- CreateEnum
CREATE TYPE "PolicyType" AS ENUM ('FCFS', 'ALLOW_LIST', 'SNAPSHOT');

-- CreateEnum
CREATE TYPE "PaymentProvider" AS ENUM ('CARD_PROVIDER', 'MINT_VOUCHER', 'EMAIL_CLAIM', 'ORGANIZATION', 'BETA_FREE_MINT');

-- CreateEnum
CREATE TYPE "AssignmentStrategy" AS ENUM ('AUTOMATIC', 'RANDOM');

-- CreateEnum
CREATE TYPE "IdentityKind" AS ENUM ('ADDRESS', 'EMAIL');

-- CreateEnum
CREATE TYPE "IntentStatus" AS ENUM ('PENDING', 'CONFIRMED', 'EXPIRED', 'CANCELLED', 'UNRESOLVED', 'REFUNDED');

-- CreateEnum
CREATE TYPE "FulfillmentStatus" AS ENUM ('PENDING', 'ASSIGNED', 'COMPLETED', 'EXCEPTION');

-- CreateEnum
CREATE TYPE "FulfillmentMethod" AS ENUM ('EMAIL', 'TRANSFER', 'VOUCHER');

-- CreateEnum
CREATE TYPE "CardAdapter" AS ENUM ('SANDBOX', 'STRIPE');

-- CreateEnum
CREATE TYPE "IntegrationStatus" AS ENUM ('PENDING', 'ACTIVE', 'RESTRICTED', 'DISCONNECTED');

-- CreateEnum
CREATE TYPE "PaymentState" AS ENUM ('CREATING', 'OPEN', 'CANCELLING', 'CANCELLED', 'SUCCEEDED', 'REFUNDING', 'REFUNDED', 'DISPUTED');

-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "embed_origins" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "email_claims" ADD COLUMN     "purchase_intent_id" UUID;

-- AlterTable
ALTER TABLE "vouchers" ADD COLUMN     "purchase_intent_id" UUID;

-- AlterTable
ALTER TABLE "mint_requests" ADD COLUMN     "purchase_intent_id" UUID;

-- CreateTable
CREATE TABLE "listings" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "collection_id" UUID NOT NULL,
    "item_id" UUID,
    "campaign_id" UUID,
    "snapshot_id" UUID,
    "mode" "Mode" NOT NULL,
    "network_id" INTEGER NOT NULL,
    "status" "ListingStatus" NOT NULL,
    "quantity_listed" BIGINT NOT NULL,
    "quantity_open" BIGINT NOT NULL DEFAULT 0,
    "quantity_confirmed" BIGINT NOT NULL DEFAULT 0,
    "price" DECIMAL(78,0) NOT NULL,
    "currency" TEXT NOT NULL,
    "currency_address" TEXT,
    "currency_decimals" INTEGER NOT NULL,
    "payment_providers" "PaymentProvider"[],
    "max_quantity_per_tx" BIGINT NOT NULL DEFAULT 1,
    "policy_type" "PolicyType" NOT NULL DEFAULT 'FCFS',
    "max_per_user" BIGINT,
    "session_seconds" INTEGER,
    "session_override" JSONB,
    "claim_seconds" INTEGER,
    "assignment" "AssignmentStrategy" NOT NULL DEFAULT 'AUTOMATIC',
    "tx_payer" "TxPayer" NOT NULL DEFAULT 'SELLER',
    "proof_of_work" BOOLEAN NOT NULL DEFAULT false,
    "starts_at" TIMESTAMPTZ(3),
    "ends_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "listings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "listing_allowances" (
    "organization_id" UUID NOT NULL,
    "listing_id" UUID NOT NULL,
    "kind" "IdentityKind" NOT NULL,
    "identity" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "listing_allowances_pkey" PRIMARY KEY ("listing_id","kind","identity")
);

-- CreateTable
CREATE TABLE "listing_buyers" (
    "organization_id" UUID NOT NULL,
    "listing_id" UUID NOT NULL,
    "kind" "IdentityKind" NOT NULL,
    "identity" TEXT NOT NULL,
    "quantity" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "listing_buyers_pkey" PRIMARY KEY ("listing_id","kind","identity")
);

-- CreateTable
CREATE TABLE "snapshots" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "collection_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "block_number" BIGINT,
    "at" TIMESTAMPTZ(3),
    "ready_at" TIMESTAMPTZ(3),
    "failure" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "snapshots_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "snapshot_holders" (
    "organization_id" UUID NOT NULL,
    "snapshot_id" UUID NOT NULL,
    "address" TEXT NOT NULL,
    "quantity" DECIMAL(78,0) NOT NULL,

    CONSTRAINT "snapshot_holders_pkey" PRIMARY KEY ("snapshot_id","address")
);

-- CreateTable
CREATE TABLE "purchase_intents" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "listing_id" UUID NOT NULL,
    "mode" "Mode" NOT NULL,
    "provider" "PaymentProvider" NOT NULL,
    "status" "IntentStatus" NOT NULL DEFAULT 'PENDING',
    "fulfillment_status" "FulfillmentStatus" NOT NULL DEFAULT 'PENDING',
    "fulfillment_method" "FulfillmentMethod" NOT NULL,
    "quantity" BIGINT NOT NULL,
    "total" DECIMAL(78,0) NOT NULL,
    "currency" TEXT NOT NULL,
    "buyer_email" TEXT,
    "buyer_address" TEXT,
    "secret_hash" BYTEA NOT NULL,
    "origin" TEXT,
    "client_address" TEXT,
    "request_key" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "failure" TEXT,
    "confirmed_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "purchase_intents_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "purchase_units" (
    "organization_id" UUID NOT NULL,
    "intent_id" UUID NOT NULL,
    "item_id" UUID NOT NULL,
    "quantity" BIGINT NOT NULL,

    CONSTRAINT "purchase_units_pkey" PRIMARY KEY ("intent_id","item_id")
);

-- CreateTable
CREATE TABLE "payment_integrations" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "mode" "Mode" NOT NULL,
    "adapter" "CardAdapter" NOT NULL,
    "account_id" TEXT,
    "status" "IntegrationStatus" NOT NULL DEFAULT 'PENDING',
    "charges_enabled" BOOLEAN NOT NULL DEFAULT false,
    "requirements" TEXT[],
    "refreshed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_integrations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payments" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "intent_id" UUID NOT NULL,
    "integration_id" UUID NOT NULL,
    "mode" "Mode" NOT NULL,
    "adapter" "CardAdapter" NOT NULL,
    "account_id" TEXT NOT NULL,
    "provider_id" TEXT,
    "client_secret" BYTEA,
    "state" "PaymentState" NOT NULL DEFAULT 'CREATING',
    "amount_minor" BIGINT NOT NULL,
    "fee_minor" BIGINT NOT NULL DEFAULT 0,
    "currency" TEXT NOT NULL,
    "refund_id" UUID,
    "provider_refund_id" TEXT,
    "refund_tries" INTEGER NOT NULL DEFAULT 0,
    "next_refund_at" TIMESTAMPTZ(3),
    "failure" TEXT,
    "checked_at" TIMESTAMPTZ(3),
    "paid_at" TIMESTAMPTZ(3),
    "refunded_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "card_events" (
    "id" TEXT NOT NULL,
    "adapter" "CardAdapter" NOT NULL,
    "account_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "payload" JSONB NOT NULL,
    "processed_at" TIMESTAMPTZ(3),
    "failure" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "card_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sandbox_accounts" (
    "id" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "verifies_at" TIMESTAMPTZ(3),
    "return_url" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sandbox_accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sandbox_payment_intents" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "client_secret" TEXT NOT NULL,
    "request_key" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "fee" BIGINT NOT NULL DEFAULT 0,
    "status" TEXT NOT NULL,
    "amount_received" BIGINT NOT NULL DEFAULT 0,
    "amount_refunded" BIGINT NOT NULL DEFAULT 0,
    "metadata" JSONB NOT NULL,
    "next_action" JSONB,
    "last_error" JSONB,
    "disputes_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sandbox_payment_intents_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sandbox_refunds" (
    "id" TEXT NOT NULL,
    "payment_intent_id" TEXT NOT NULL,
    "request_key" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "status" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sandbox_refunds_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sandbox_events" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3) NOT NULL,
    "delivered_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sandbox_events_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "listings_organization_id_collection_id_idx" ON "listings"("organization_id", "collection_id");

-- CreateIndex
CREATE INDEX "listings_organization_id_item_id_idx" ON "listings"("organization_id", "item_id");

-- CreateIndex
CREATE UNIQUE INDEX "listings_organization_id_id_key" ON "listings"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "listings_organization_id_id_mode_key" ON "listings"("organization_id", "id", "mode");

-- CreateIndex
CREATE UNIQUE INDEX "snapshots_organization_id_id_key" ON "snapshots"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "purchase_intents_request_key_key" ON "purchase_intents"("request_key");

-- CreateIndex
CREATE INDEX "purchase_intents_organization_id_listing_id_idx" ON "purchase_intents"("organization_id", "listing_id");

-- CreateIndex
CREATE INDEX "purchase_intents_status_expires_at_idx" ON "purchase_intents"("status", "expires_at");

-- CreateIndex
CREATE INDEX "purchase_intents_organization_id_buyer_email_idx" ON "purchase_intents"("organization_id", "buyer_email");

-- CreateIndex
CREATE INDEX "purchase_intents_organization_id_buyer_address_idx" ON "purchase_intents"("organization_id", "buyer_address");

-- CreateIndex
CREATE UNIQUE INDEX "purchase_intents_organization_id_id_key" ON "purchase_intents"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "purchase_intents_organization_id_id_mode_key" ON "purchase_intents"("organization_id", "id", "mode");

-- CreateIndex
CREATE UNIQUE INDEX "payment_integrations_account_id_key" ON "payment_integrations"("account_id");

-- CreateIndex
CREATE UNIQUE INDEX "payment_integrations_organization_id_id_key" ON "payment_integrations"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "payment_integrations_organization_id_id_mode_key" ON "payment_integrations"("organization_id", "id", "mode");

-- CreateIndex
CREATE INDEX "payments_state_checked_at_idx" ON "payments"("state", "checked_at");

-- CreateIndex
CREATE INDEX "payments_intent_id_idx" ON "payments"("intent_id");

-- CreateIndex
CREATE UNIQUE INDEX "payments_organization_id_id_key" ON "payments"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "payments_account_id_provider_id_key" ON "payments"("account_id", "provider_id");

-- CreateIndex
CREATE INDEX "card_events_processed_at_created_at_idx" ON "card_events"("processed_at", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "sandbox_payment_intents_request_key_key" ON "sandbox_payment_intents"("request_key");

-- CreateIndex
CREATE UNIQUE INDEX "sandbox_refunds_request_key_key" ON "sandbox_refunds"("request_key");

-- CreateIndex
CREATE INDEX "sandbox_events_delivered_at_next_at_idx" ON "sandbox_events"("delivered_at", "next_at");

-- AddForeignKey
ALTER TABLE "email_claims" ADD CONSTRAINT "email_claims_organization_id_purchase_intent_id_fkey" FOREIGN KEY ("organization_id", "purchase_intent_id") REFERENCES "purchase_intents"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "vouchers" ADD CONSTRAINT "vouchers_organization_id_purchase_intent_id_fkey" FOREIGN KEY ("organization_id", "purchase_intent_id") REFERENCES "purchase_intents"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mint_requests" ADD CONSTRAINT "mint_requests_organization_id_purchase_intent_id_fkey" FOREIGN KEY ("organization_id", "purchase_intent_id") REFERENCES "purchase_intents"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "listings" ADD CONSTRAINT "listings_organization_id_collection_id_fkey" FOREIGN KEY ("organization_id", "collection_id") REFERENCES "collections"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "listings" ADD CONSTRAINT "listings_organization_id_item_id_fkey" FOREIGN KEY ("organization_id", "item_id") REFERENCES "items"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "listings" ADD CONSTRAINT "listings_organization_id_campaign_id_fkey" FOREIGN KEY ("organization_id", "campaign_id") REFERENCES "campaigns"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "listings" ADD CONSTRAINT "listings_organization_id_snapshot_id_fkey" FOREIGN KEY ("organization_id", "snapshot_id") REFERENCES "snapshots"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "listing_allowances" ADD CONSTRAINT "listing_allowances_organization_id_listing_id_fkey" FOREIGN KEY ("organization_id", "listing_id") REFERENCES "listings"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "listing_buyers" ADD CONSTRAINT "listing_buyers_organization_id_listing_id_fkey" FOREIGN KEY ("organization_id", "listing_id") REFERENCES "listings"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "snapshots" ADD CONSTRAINT "snapshots_organization_id_collection_id_fkey" FOREIGN KEY ("organization_id", "collection_id") REFERENCES "collections"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "snapshot_holders" ADD CONSTRAINT "snapshot_holders_organization_id_snapshot_id_fkey" FOREIGN KEY ("organization_id", "snapshot_id") REFERENCES "snapshots"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "purchase_intents" ADD CONSTRAINT "purchase_intents_organization_id_listing_id_mode_fkey" FOREIGN KEY ("organization_id", "listing_id", "mode") REFERENCES "listings"("organization_id", "id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "purchase_units" ADD CONSTRAINT "purchase_units_organization_id_intent_id_fkey" FOREIGN KEY ("organization_id", "intent_id") REFERENCES "purchase_intents"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "purchase_units" ADD CONSTRAINT "purchase_units_organization_id_item_id_fkey" FOREIGN KEY ("organization_id", "item_id") REFERENCES "items"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payments" ADD CONSTRAINT "payments_organization_id_intent_id_mode_fkey" FOREIGN KEY ("organization_id", "intent_id", "mode") REFERENCES "purchase_intents"("organization_id", "id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payments" ADD CONSTRAINT "payments_organization_id_integration_id_mode_fkey" FOREIGN KEY ("organization_id", "integration_id", "mode") REFERENCES "payment_integrations"("organization_id", "id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sandbox_payment_intents" ADD CONSTRAINT "sandbox_payment_intents_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "sandbox_accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sandbox_refunds" ADD CONSTRAINT "sandbox_refunds_payment_intent_id_fkey" FOREIGN KEY ("payment_intent_id") REFERENCES "sandbox_payment_intents"("id") ON DELETE RESTRICT ON UPDATE CASCADE;



-- What Prisma's schema can't say about selling.

GRANT SELECT, INSERT, UPDATE, DELETE ON
  listings, listing_allowances, listing_buyers, snapshots, snapshot_holders, purchase_intents, purchase_units, payment_integrations, payments,
  card_events, sandbox_accounts, sandbox_payment_intents, sandbox_refunds, sandbox_events TO vitrine_system;
GRANT SELECT, INSERT, UPDATE, DELETE ON
  listings, listing_allowances, listing_buyers, snapshots, snapshot_holders, purchase_intents, purchase_units, payment_integrations, payments TO vitrine_app;
GRANT SELECT ON listings TO vitrine_public;

DO $$
DECLARE table_name text;
BEGIN
  FOREACH table_name IN ARRAY ARRAY[
    'listings', 'listing_allowances', 'listing_buyers', 'snapshots', 'snapshot_holders', 'purchase_intents', 'purchase_units',
    'payment_integrations', 'payments'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', table_name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', table_name);
    EXECUTE format('CREATE POLICY organization ON %I TO vitrine_app USING (organization_id = (SELECT current_organization())) WITH CHECK (organization_id = (SELECT current_organization()))', table_name);
    EXECUTE format('CREATE POLICY system ON %I TO vitrine_system USING (true) WITH CHECK (true)', table_name);
  END LOOP;
END $$;
CREATE POLICY published ON listings FOR SELECT TO vitrine_public
  USING (status <> 'DRAFT' AND collection_id IN (SELECT c.id FROM collections c));

-- A listing holds what it hasn't given to a buyer yet, which may be nothing.
ALTER TABLE holds DROP CONSTRAINT holds_quantity_positive;
ALTER TABLE holds ADD CONSTRAINT holds_quantity_positive CHECK (quantity > 0 OR (quantity = 0 AND holder_type = 'LISTING'));

ALTER TABLE listings ADD CONSTRAINT listings_units_sane
  CHECK (quantity_listed > 0 AND quantity_open >= 0 AND quantity_confirmed >= 0 AND quantity_open + quantity_confirmed <= quantity_listed);
ALTER TABLE listings ADD CONSTRAINT listings_times_in_order CHECK (starts_at IS NULL OR ends_at IS NULL OR starts_at < ends_at);
ALTER TABLE listings ADD CONSTRAINT listings_price_not_negative CHECK (price >= 0);
ALTER TABLE listing_buyers ADD CONSTRAINT listing_buyers_not_negative CHECK (quantity >= 0);
ALTER TABLE purchase_intents ADD CONSTRAINT purchase_intents_has_buyer CHECK (buyer_email IS NOT NULL OR buyer_address IS NOT NULL);
ALTER TABLE purchase_intents ADD CONSTRAINT purchase_intents_quantity_positive CHECK (quantity > 0);
ALTER TABLE payments ADD CONSTRAINT payments_amounts_sane CHECK (amount_minor > 0 AND fee_minor >= 0 AND fee_minor <= amount_minor);

-- One of a kind.
CREATE UNIQUE INDEX payments_one_live_per_intent ON payments (intent_id) WHERE state <> 'CANCELLED';
CREATE UNIQUE INDEX payment_integrations_one_live ON payment_integrations (organization_id, mode) WHERE status <> 'DISCONNECTED';
CREATE UNIQUE INDEX email_claims_one_per_purchase_item ON email_claims (purchase_intent_id, item_id) WHERE purchase_intent_id IS NOT NULL;
CREATE UNIQUE INDEX vouchers_one_pending_per_purchase_item ON vouchers (purchase_intent_id, item_id) WHERE state = 'PENDING' AND purchase_intent_id IS NOT NULL;
CREATE UNIQUE INDEX mint_requests_one_live_per_purchase_item ON mint_requests (purchase_intent_id, item_id)
  WHERE state IN ('WAITING', 'SUBMITTED', 'COMPLETED') AND purchase_intent_id IS NOT NULL;
CREATE INDEX purchase_intents_open ON purchase_intents (expires_at) WHERE status = 'PENDING';
CREATE INDEX listings_by_time ON listings (status, starts_at, ends_at) WHERE status IN ('SCHEDULED', 'ACTIVE', 'PAUSED');
