-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "Mode" AS ENUM ('TEST', 'LIVE');

-- CreateEnum
CREATE TYPE "MemberRole" AS ENUM ('OWNER', 'ADMIN', 'EDITOR', 'VIEWER');

-- CreateEnum
CREATE TYPE "TokenType" AS ENUM ('ERC721', 'ERC1155');

-- CreateEnum
CREATE TYPE "TokenIdAssignment" AS ENUM ('AUTOMATIC', 'MANUAL');

-- CreateEnum
CREATE TYPE "DeploymentType" AS ENUM ('PLATFORM', 'EXTERNAL');

-- CreateEnum
CREATE TYPE "DeploymentStatus" AS ENUM ('PENDING', 'SUCCESS', 'FAILED');

-- CreateEnum
CREATE TYPE "RevealStrategy" AS ENUM ('INSTANT', 'DELAYED');

-- CreateEnum
CREATE TYPE "TxPayer" AS ENUM ('SELLER', 'BUYER');

-- CreateEnum
CREATE TYPE "HolderType" AS ENUM ('CLAIM', 'LISTING', 'PURCHASE', 'MINT_REQUEST');

-- CreateEnum
CREATE TYPE "HoldState" AS ENUM ('HELD', 'CONSUMED', 'RELEASED', 'EXCEPTION');

-- CreateEnum
CREATE TYPE "TransactionState" AS ENUM ('PENDING', 'SUBMITTED', 'COMPLETED', 'CANCELLED', 'FAILED');

-- CreateEnum
CREATE TYPE "OnChainStatus" AS ENUM ('SUCCESS', 'FAILURE');

-- CreateEnum
CREATE TYPE "TransactionType" AS ENUM ('DEPLOY_TOKEN_CONTRACT', 'ADMIN_MINT', 'TRANSFER_TOKEN', 'SET_ROYALTY', 'SET_BASE_URI', 'UPDATE_METADATA', 'CANCEL_VOUCHER', 'SET_MAX_SUPPLY', 'SET_ROLES', 'CANCEL');

-- CreateEnum
CREATE TYPE "MintState" AS ENUM ('WAITING', 'SUBMITTED', 'COMPLETED', 'FAILED', 'CANCELLED');

-- CreateEnum
CREATE TYPE "ClaimState" AS ENUM ('OPEN', 'LOCKED', 'REDEEMED', 'CLAIMED', 'REVOKED', 'EXPIRED');

-- CreateEnum
CREATE TYPE "PinState" AS ENUM ('OPEN', 'USED', 'VOID');

-- CreateEnum
CREATE TYPE "VoucherState" AS ENUM ('PENDING', 'REDEEMED', 'EXPIRED', 'CANCELLED');

-- CreateEnum
CREATE TYPE "HistoryType" AS ENUM ('MINT', 'TRANSFER', 'BURN');

-- CreateEnum
CREATE TYPE "OutboxState" AS ENUM ('PENDING', 'SENT', 'FAILED', 'DISCARDED');

-- CreateTable
CREATE TABLE "organizations" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "payout_address" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "organizations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "name" TEXT,
    "email" TEXT NOT NULL,
    "email_verified" TIMESTAMPTZ(3),
    "image" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "accounts" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "provider_account_id" TEXT NOT NULL,
    "refresh_token" TEXT,
    "access_token" TEXT,
    "expires_at" INTEGER,
    "token_type" TEXT,
    "scope" TEXT,
    "id_token" TEXT,
    "session_state" TEXT,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" UUID NOT NULL,
    "session_token" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "expires" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "verification_tokens" (
    "identifier" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "expires" TIMESTAMPTZ(3) NOT NULL
);

-- CreateTable
CREATE TABLE "members" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" "MemberRole" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "members_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "member_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "short_id" TEXT NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "permissions" TEXT[],
    "mode" "Mode" NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "item_types" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "schema" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "item_types_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "collections" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "external_link" TEXT,
    "image_url" TEXT,
    "header_image_url" TEXT,
    "thumbnail_image_url" TEXT,
    "is_public" BOOLEAN NOT NULL DEFAULT true,
    "editable_metadata" BOOLEAN NOT NULL DEFAULT false,
    "default_item_type_id" UUID,
    "reveal_strategy" "RevealStrategy" NOT NULL DEFAULT 'INSTANT',
    "preview_metadata" JSONB,
    "royalty_receiver" TEXT,
    "royalty_bps" INTEGER,
    "mode" "Mode",
    "network_id" INTEGER,
    "deployment_type" "DeploymentType",
    "deployment_status" "DeploymentStatus",
    "deployment_transaction_id" UUID,
    "deployed_at" TIMESTAMPTZ(3),
    "token_type" "TokenType",
    "token_id_assignment" "TokenIdAssignment" NOT NULL DEFAULT 'AUTOMATIC',
    "symbol" TEXT,
    "max_supply" BIGINT,
    "soulbound" BOOLEAN NOT NULL DEFAULT false,
    "owner" TEXT,
    "contract_address" TEXT,
    "contract_version" TEXT,
    "implementation" TEXT,
    "clone_args" TEXT,
    "minter" TEXT,
    "signer" TEXT,
    "base_uri" TEXT,
    "next_token_id" BIGINT NOT NULL DEFAULT 1,
    "next_request_id" BIGINT NOT NULL DEFAULT 1,
    "pool_free" BIGINT NOT NULL DEFAULT 0,
    "pool_held" BIGINT NOT NULL DEFAULT 0,
    "indexed_to" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "collections_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "items" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "collection_id" UUID NOT NULL,
    "item_type_id" UUID,
    "attributes" JSONB NOT NULL,
    "royalty_receiver" TEXT,
    "royalty_bps" INTEGER,
    "token_id" TEXT,
    "locked_at" TIMESTAMPTZ(3),
    "max_supply" BIGINT,
    "held" BIGINT NOT NULL DEFAULT 0,
    "minting" BIGINT NOT NULL DEFAULT 0,
    "minted" BIGINT NOT NULL DEFAULT 0,
    "burned" BIGINT NOT NULL DEFAULT 0,
    "image_source" TEXT,
    "image_cid" TEXT,
    "image_file" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "items_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "holds" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "collection_id" UUID NOT NULL,
    "item_id" UUID,
    "holder_type" "HolderType" NOT NULL,
    "holder_id" UUID NOT NULL,
    "quantity" BIGINT NOT NULL,
    "state" "HoldState" NOT NULL DEFAULT 'HELD',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "holds_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "campaigns" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "email_from" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "campaigns_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "email_claims" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "collection_id" UUID NOT NULL,
    "item_id" UUID NOT NULL,
    "campaign_id" UUID,
    "email" TEXT NOT NULL,
    "quantity" BIGINT NOT NULL,
    "tx_payer" "TxPayer" NOT NULL,
    "state" "ClaimState" NOT NULL DEFAULT 'OPEN',
    "generation" INTEGER NOT NULL DEFAULT 1,
    "expires_at" TIMESTAMPTZ(3),
    "wrong_pins" INTEGER NOT NULL DEFAULT 0,
    "to_address" TEXT,
    "opened_at" TIMESTAMPTZ(3),
    "last_pin_sent_at" TIMESTAMPTZ(3),
    "redeemed_at" TIMESTAMPTZ(3),
    "claimed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "email_claims_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "claim_tokens" (
    "hash" BYTEA NOT NULL,
    "organization_id" UUID NOT NULL,
    "claim_id" UUID NOT NULL,
    "generation" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "claim_tokens_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "pins" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "claim_id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "wrong_tries" INTEGER NOT NULL DEFAULT 0,
    "state" "PinState" NOT NULL DEFAULT 'OPEN',
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "pins_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "vouchers" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "collection_id" UUID NOT NULL,
    "item_id" UUID NOT NULL,
    "claim_id" UUID,
    "network_id" INTEGER NOT NULL,
    "contract" TEXT NOT NULL,
    "minter" TEXT NOT NULL,
    "net_recipient" TEXT NOT NULL,
    "initial_recipient" TEXT NOT NULL,
    "initial_recipient_amount" DECIMAL(78,0) NOT NULL,
    "quantity" BIGINT NOT NULL,
    "nonce" BIGINT NOT NULL,
    "expiry" BIGINT NOT NULL,
    "price" DECIMAL(78,0) NOT NULL,
    "token_id" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "signature" TEXT NOT NULL,
    "state" "VoucherState" NOT NULL DEFAULT 'PENDING',
    "tx_hash" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "vouchers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "transactions" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "collection_id" UUID NOT NULL,
    "network_id" INTEGER NOT NULL,
    "tx_type" "TransactionType" NOT NULL,
    "state" "TransactionState" NOT NULL DEFAULT 'PENDING',
    "on_chain_status" "OnChainStatus",
    "payload" JSONB,
    "mint_count" INTEGER NOT NULL DEFAULT 0,
    "operator" TEXT,
    "nonce" INTEGER,
    "tx_hash" TEXT,
    "block_number" BIGINT,
    "gas_used" BIGINT,
    "gas_cost_wei" DECIMAL(78,0),
    "failure" TEXT,
    "cancel_requested_at" TIMESTAMPTZ(3),
    "submitted_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),
    "final_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "transactions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "signed_transactions" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "transaction_id" UUID NOT NULL,
    "network_id" INTEGER NOT NULL,
    "operator" TEXT NOT NULL,
    "nonce" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,
    "raw" TEXT NOT NULL,
    "gas_limit" BIGINT NOT NULL,
    "max_fee_per_gas" DECIMAL(78,0) NOT NULL,
    "max_priority_fee_per_gas" DECIMAL(78,0) NOT NULL,
    "cancels" BOOLEAN NOT NULL DEFAULT false,
    "mint_request_ids" UUID[],
    "broadcast_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "signed_transactions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mint_requests" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "collection_id" UUID NOT NULL,
    "item_id" UUID NOT NULL,
    "transaction_id" UUID NOT NULL,
    "past_transaction_ids" UUID[],
    "claim_id" UUID,
    "to_address" TEXT NOT NULL,
    "quantity" BIGINT NOT NULL,
    "request_number" BIGINT NOT NULL,
    "state" "MintState" NOT NULL DEFAULT 'WAITING',
    "failure" TEXT,
    "tx_hash" TEXT,
    "completed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mint_requests_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "operator_lanes" (
    "network_id" INTEGER NOT NULL,
    "operator" TEXT NOT NULL,
    "next_nonce" INTEGER NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "operator_lanes_pkey" PRIMARY KEY ("network_id","operator")
);

-- CreateTable
CREATE TABLE "chain_blocks" (
    "network_id" INTEGER NOT NULL,
    "number" BIGINT NOT NULL,
    "hash" TEXT NOT NULL,
    "parent_hash" TEXT NOT NULL,
    "timestamp" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "chain_blocks_pkey" PRIMARY KEY ("network_id","number")
);

-- CreateTable
CREATE TABLE "chain_cursors" (
    "network_id" INTEGER NOT NULL,
    "number" BIGINT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "chain_cursors_pkey" PRIMARY KEY ("network_id")
);

-- CreateTable
CREATE TABLE "chain_logs" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "collection_id" UUID NOT NULL,
    "network_id" INTEGER NOT NULL,
    "tx_hash" TEXT NOT NULL,
    "log_index" INTEGER NOT NULL,
    "block_number" BIGINT NOT NULL,
    "block_hash" TEXT NOT NULL,
    "timestamp" TIMESTAMPTZ(3) NOT NULL,
    "topics" TEXT[],
    "data" TEXT NOT NULL,

    CONSTRAINT "chain_logs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "item_history" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "collection_id" UUID NOT NULL,
    "item_id" UUID,
    "token_id" TEXT NOT NULL,
    "type" "HistoryType" NOT NULL,
    "quantity" BIGINT NOT NULL,
    "from_address" TEXT NOT NULL,
    "to_address" TEXT NOT NULL,
    "network_id" INTEGER NOT NULL,
    "tx_hash" TEXT NOT NULL,
    "block_number" BIGINT NOT NULL,
    "log_index" INTEGER NOT NULL,
    "part" INTEGER NOT NULL DEFAULT 0,
    "timestamp" TIMESTAMPTZ(3) NOT NULL,
    "hold_id" UUID,

    CONSTRAINT "item_history_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "item_owners" (
    "organization_id" UUID NOT NULL,
    "item_id" UUID NOT NULL,
    "address" TEXT NOT NULL,
    "quantity" DECIMAL(78,0) NOT NULL,

    CONSTRAINT "item_owners_pkey" PRIMARY KEY ("item_id","address")
);

-- CreateTable
CREATE TABLE "outbox_messages" (
    "id" UUID NOT NULL,
    "organization_id" UUID,
    "template_type" TEXT NOT NULL,
    "claim_id" UUID,
    "to_email" TEXT NOT NULL,
    "variables" BYTEA,
    "message_id" TEXT NOT NULL,
    "state" "OutboxState" NOT NULL DEFAULT 'PENDING',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "last_error" TEXT,
    "sent_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "outbox_messages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "events" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_entries" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "actor_type" TEXT NOT NULL,
    "actor_id" TEXT,
    "action" TEXT NOT NULL,
    "subject_type" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,
    "request_id" TEXT NOT NULL,
    "client_address" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "alarms" (
    "id" UUID NOT NULL,
    "organization_id" UUID,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "detail" TEXT NOT NULL,
    "resolved_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "alarms_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_records" (
    "scope" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "body_hash" BYTEA NOT NULL,
    "status" INTEGER,
    "answer" BYTEA,
    "lease_id" UUID NOT NULL,
    "lease_ends" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_records_pkey" PRIMARY KEY ("scope","key")
);

-- CreateTable
CREATE TABLE "rate_limits" (
    "key" TEXT NOT NULL,
    "points" INTEGER NOT NULL,
    "expire" BIGINT,

    CONSTRAINT "rate_limits_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE UNIQUE INDEX "accounts_provider_provider_account_id_key" ON "accounts"("provider", "provider_account_id");

-- CreateIndex
CREATE UNIQUE INDEX "sessions_session_token_key" ON "sessions"("session_token");

-- CreateIndex
CREATE UNIQUE INDEX "verification_tokens_token_key" ON "verification_tokens"("token");

-- CreateIndex
CREATE UNIQUE INDEX "verification_tokens_identifier_token_key" ON "verification_tokens"("identifier", "token");

-- CreateIndex
CREATE INDEX "members_user_id_idx" ON "members"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "members_organization_id_id_key" ON "members"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "members_organization_id_user_id_key" ON "members"("organization_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_short_id_key" ON "api_keys"("short_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_organization_id_id_key" ON "api_keys"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "item_types_organization_id_id_key" ON "item_types"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "item_types_organization_id_name_key" ON "item_types"("organization_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "collections_organization_id_id_key" ON "collections"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "collections_organization_id_name_key" ON "collections"("organization_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "collections_network_id_contract_address_key" ON "collections"("network_id", "contract_address");

-- CreateIndex
CREATE INDEX "items_organization_id_collection_id_id_idx" ON "items"("organization_id", "collection_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "items_organization_id_id_key" ON "items"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "items_collection_id_token_id_key" ON "items"("collection_id", "token_id");

-- CreateIndex
CREATE INDEX "holds_organization_id_item_id_idx" ON "holds"("organization_id", "item_id");

-- CreateIndex
CREATE INDEX "holds_holder_type_holder_id_idx" ON "holds"("holder_type", "holder_id");

-- CreateIndex
CREATE UNIQUE INDEX "holds_organization_id_id_key" ON "holds"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "campaigns_organization_id_id_key" ON "campaigns"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "campaigns_organization_id_name_key" ON "campaigns"("organization_id", "name");

-- CreateIndex
CREATE INDEX "email_claims_organization_id_item_id_idx" ON "email_claims"("organization_id", "item_id");

-- CreateIndex
CREATE INDEX "email_claims_organization_id_email_idx" ON "email_claims"("organization_id", "email");

-- CreateIndex
CREATE UNIQUE INDEX "email_claims_organization_id_id_key" ON "email_claims"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "claim_tokens_claim_id_generation_key" ON "claim_tokens"("claim_id", "generation");

-- CreateIndex
CREATE INDEX "pins_claim_id_created_at_idx" ON "pins"("claim_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "pins_organization_id_id_key" ON "pins"("organization_id", "id");

-- CreateIndex
CREATE INDEX "vouchers_minter_state_idx" ON "vouchers"("minter", "state");

-- CreateIndex
CREATE UNIQUE INDEX "vouchers_organization_id_id_key" ON "vouchers"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "vouchers_collection_id_nonce_key" ON "vouchers"("collection_id", "nonce");

-- CreateIndex
CREATE INDEX "transactions_organization_id_collection_id_id_idx" ON "transactions"("organization_id", "collection_id", "id");

-- CreateIndex
CREATE INDEX "transactions_network_id_state_idx" ON "transactions"("network_id", "state");

-- CreateIndex
CREATE UNIQUE INDEX "transactions_organization_id_id_key" ON "transactions"("organization_id", "id");

-- CreateIndex
CREATE INDEX "signed_transactions_network_id_operator_nonce_idx" ON "signed_transactions"("network_id", "operator", "nonce");

-- CreateIndex
CREATE INDEX "signed_transactions_transaction_id_idx" ON "signed_transactions"("transaction_id");

-- CreateIndex
CREATE UNIQUE INDEX "signed_transactions_network_id_hash_key" ON "signed_transactions"("network_id", "hash");

-- CreateIndex
CREATE INDEX "mint_requests_transaction_id_idx" ON "mint_requests"("transaction_id");

-- CreateIndex
CREATE INDEX "mint_requests_organization_id_item_id_idx" ON "mint_requests"("organization_id", "item_id");

-- CreateIndex
CREATE UNIQUE INDEX "mint_requests_organization_id_id_key" ON "mint_requests"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "mint_requests_collection_id_request_number_key" ON "mint_requests"("collection_id", "request_number");

-- CreateIndex
CREATE INDEX "chain_logs_network_id_block_number_idx" ON "chain_logs"("network_id", "block_number");

-- CreateIndex
CREATE INDEX "chain_logs_collection_id_idx" ON "chain_logs"("collection_id");

-- CreateIndex
CREATE UNIQUE INDEX "chain_logs_network_id_tx_hash_log_index_key" ON "chain_logs"("network_id", "tx_hash", "log_index");

-- CreateIndex
CREATE INDEX "item_history_item_id_block_number_log_index_idx" ON "item_history"("item_id", "block_number", "log_index");

-- CreateIndex
CREATE INDEX "item_history_network_id_block_number_idx" ON "item_history"("network_id", "block_number");

-- CreateIndex
CREATE UNIQUE INDEX "item_history_network_id_tx_hash_log_index_part_key" ON "item_history"("network_id", "tx_hash", "log_index", "part");

-- CreateIndex
CREATE INDEX "item_owners_address_idx" ON "item_owners"("address");

-- CreateIndex
CREATE UNIQUE INDEX "outbox_messages_message_id_key" ON "outbox_messages"("message_id");

-- CreateIndex
CREATE INDEX "outbox_messages_state_created_at_idx" ON "outbox_messages"("state", "created_at");

-- CreateIndex
CREATE INDEX "outbox_messages_claim_id_idx" ON "outbox_messages"("claim_id");

-- CreateIndex
CREATE UNIQUE INDEX "events_organization_id_type_key_key" ON "events"("organization_id", "type", "key");

-- CreateIndex
CREATE INDEX "audit_entries_organization_id_subject_id_idx" ON "audit_entries"("organization_id", "subject_id");

-- CreateIndex
CREATE INDEX "alarms_kind_subject_idx" ON "alarms"("kind", "subject");

-- CreateIndex
CREATE INDEX "idempotency_records_created_at_idx" ON "idempotency_records"("created_at");

-- AddForeignKey
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_organization_id_member_id_fkey" FOREIGN KEY ("organization_id", "member_id") REFERENCES "members"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "collections" ADD CONSTRAINT "collections_organization_id_default_item_type_id_fkey" FOREIGN KEY ("organization_id", "default_item_type_id") REFERENCES "item_types"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "items" ADD CONSTRAINT "items_organization_id_collection_id_fkey" FOREIGN KEY ("organization_id", "collection_id") REFERENCES "collections"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "items" ADD CONSTRAINT "items_organization_id_item_type_id_fkey" FOREIGN KEY ("organization_id", "item_type_id") REFERENCES "item_types"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "holds" ADD CONSTRAINT "holds_organization_id_collection_id_fkey" FOREIGN KEY ("organization_id", "collection_id") REFERENCES "collections"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "holds" ADD CONSTRAINT "holds_organization_id_item_id_fkey" FOREIGN KEY ("organization_id", "item_id") REFERENCES "items"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "email_claims" ADD CONSTRAINT "email_claims_organization_id_collection_id_fkey" FOREIGN KEY ("organization_id", "collection_id") REFERENCES "collections"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "email_claims" ADD CONSTRAINT "email_claims_organization_id_item_id_fkey" FOREIGN KEY ("organization_id", "item_id") REFERENCES "items"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "email_claims" ADD CONSTRAINT "email_claims_organization_id_campaign_id_fkey" FOREIGN KEY ("organization_id", "campaign_id") REFERENCES "campaigns"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "claim_tokens" ADD CONSTRAINT "claim_tokens_organization_id_claim_id_fkey" FOREIGN KEY ("organization_id", "claim_id") REFERENCES "email_claims"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pins" ADD CONSTRAINT "pins_organization_id_claim_id_fkey" FOREIGN KEY ("organization_id", "claim_id") REFERENCES "email_claims"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "vouchers" ADD CONSTRAINT "vouchers_organization_id_collection_id_fkey" FOREIGN KEY ("organization_id", "collection_id") REFERENCES "collections"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "vouchers" ADD CONSTRAINT "vouchers_organization_id_item_id_fkey" FOREIGN KEY ("organization_id", "item_id") REFERENCES "items"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "vouchers" ADD CONSTRAINT "vouchers_organization_id_claim_id_fkey" FOREIGN KEY ("organization_id", "claim_id") REFERENCES "email_claims"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_organization_id_collection_id_fkey" FOREIGN KEY ("organization_id", "collection_id") REFERENCES "collections"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "signed_transactions" ADD CONSTRAINT "signed_transactions_organization_id_transaction_id_fkey" FOREIGN KEY ("organization_id", "transaction_id") REFERENCES "transactions"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mint_requests" ADD CONSTRAINT "mint_requests_organization_id_collection_id_fkey" FOREIGN KEY ("organization_id", "collection_id") REFERENCES "collections"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mint_requests" ADD CONSTRAINT "mint_requests_organization_id_item_id_fkey" FOREIGN KEY ("organization_id", "item_id") REFERENCES "items"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mint_requests" ADD CONSTRAINT "mint_requests_organization_id_transaction_id_fkey" FOREIGN KEY ("organization_id", "transaction_id") REFERENCES "transactions"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mint_requests" ADD CONSTRAINT "mint_requests_organization_id_claim_id_fkey" FOREIGN KEY ("organization_id", "claim_id") REFERENCES "email_claims"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "item_history" ADD CONSTRAINT "item_history_organization_id_collection_id_fkey" FOREIGN KEY ("organization_id", "collection_id") REFERENCES "collections"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "item_owners" ADD CONSTRAINT "item_owners_organization_id_item_id_fkey" FOREIGN KEY ("organization_id", "item_id") REFERENCES "items"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;


