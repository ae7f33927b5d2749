-- The administrative side: members by invitation, the organization's own mail, templates, webhooks out, media, imports, delayed reveal.
-- CreateEnum
CREATE TYPE "MailProvider" AS ENUM ('MAIL_API', 'CLOUD_MAIL', 'CUSTOM_SMTP');

-- CreateEnum
CREATE TYPE "MailIntegrationStatus" AS ENUM ('PENDING', 'ACTIVE', 'FAILED');

-- CreateEnum
CREATE TYPE "SuppressionReason" AS ENUM ('BOUNCE', 'COMPLAINT');

-- CreateEnum
CREATE TYPE "TemplateFormat" AS ENUM ('MJML', 'HTML');

-- CreateEnum
CREATE TYPE "WebhookStatus" AS ENUM ('ENABLED', 'DISABLED');

-- CreateEnum
CREATE TYPE "DeliveryState" AS ENUM ('PENDING', 'DELIVERED', 'FAILED');

-- CreateEnum
CREATE TYPE "PinningState" AS ENUM ('NONE', 'PENDING', 'PINNED', 'FAILED');

-- CreateEnum
CREATE TYPE "ImportKind" AS ENUM ('ITEMS', 'EMAIL_CLAIMS');

-- CreateEnum
CREATE TYPE "ImportState" AS ENUM ('JUDGED', 'RUNNING', 'COMPLETED', 'CANCELLED');

-- CreateEnum
CREATE TYPE "RowVerdict" AS ENUM ('OK', 'DUPLICATE', 'INVALID');

-- CreateEnum
CREATE TYPE "RowState" AS ENUM ('WAITING', 'DONE', 'FAILED', 'SKIPPED');

-- AlterTable
ALTER TABLE "organizations" ADD COLUMN "brand" JSONB;

-- AlterTable
ALTER TABLE "members" ADD COLUMN "invited_at" TIMESTAMPTZ(3),
ADD COLUMN "invited_by_id" UUID,
ADD COLUMN "joined_at" TIMESTAMPTZ(3),
ADD COLUMN "removed_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "collections" ADD COLUMN "reveal_commitment" TEXT,
ADD COLUMN "reveal_proof" JSONB,
ADD COLUMN "reveal_seed" BYTEA,
ADD COLUMN "revealed_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "campaigns" ADD COLUMN "reminder_days" INTEGER NOT NULL DEFAULT 3,
ADD COLUMN "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- AlterTable
ALTER TABLE "email_claims" ADD COLUMN "reminded_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "outbox_messages" ADD COLUMN "bounced_at" TIMESTAMPTZ(3),
ADD COLUMN "campaign_id" UUID,
ADD COLUMN "complained_at" TIMESTAMPTZ(3),
ADD COLUMN "delivered_at" TIMESTAMPTZ(3),
ADD COLUMN "integration_id" UUID,
ADD COLUMN "provider_id" TEXT;

-- CreateTable
CREATE TABLE "email_integrations" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "provider" "MailProvider" NOT NULL,
    "status" "MailIntegrationStatus" NOT NULL DEFAULT 'PENDING',
    "config" JSONB NOT NULL,
    "secrets" BYTEA NOT NULL,
    "last_error" TEXT,
    "activated_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "email_integrations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "suppressions" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "reason" "SuppressionReason" NOT NULL,
    "detail" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "suppressions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mail_events" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "token" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "message_id" UUID,
    "detail" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mail_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "email_templates" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "campaign_id" UUID,
    "template_type" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "email_templates_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "email_template_versions" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "template_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "subject" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "format" "TemplateFormat" NOT NULL,
    "body" TEXT NOT NULL,
    "html" TEXT NOT NULL,
    "member_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "email_template_versions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhooks" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT,
    "event_types" TEXT[],
    "status" "WebhookStatus" NOT NULL DEFAULT 'ENABLED',
    "disabled_reason" TEXT,
    "secret" BYTEA NOT NULL,
    "previous_secret" BYTEA,
    "previous_secret_until" TIMESTAMPTZ(3),
    "failing_since" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhooks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "webhook_id" UUID NOT NULL,
    "event_id" UUID,
    "event_type" TEXT NOT NULL,
    "message_id" UUID NOT NULL,
    "payload" JSONB NOT NULL,
    "replay_of_id" UUID,
    "state" "DeliveryState" NOT NULL DEFAULT 'PENDING',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3),
    "delivered_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_attempts" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "delivery_id" UUID NOT NULL,
    "status" INTEGER,
    "error" TEXT,
    "answer" TEXT,
    "milliseconds" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "media_files" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "cid" TEXT NOT NULL,
    "name" TEXT,
    "width" INTEGER NOT NULL,
    "height" INTEGER NOT NULL,
    "bytes" INTEGER NOT NULL,
    "pinning" "PinningState" NOT NULL DEFAULT 'NONE',
    "pin_failure" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "media_files_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "imports" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "kind" "ImportKind" NOT NULL,
    "state" "ImportState" NOT NULL DEFAULT 'JUDGED',
    "file_name" TEXT,
    "options" JSONB NOT NULL,
    "row_count" INTEGER NOT NULL,
    "ok_count" INTEGER NOT NULL,
    "duplicate_count" INTEGER NOT NULL,
    "invalid_count" INTEGER NOT NULL,
    "done_count" INTEGER NOT NULL DEFAULT 0,
    "failed_count" INTEGER NOT NULL DEFAULT 0,
    "member_id" UUID,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "imports_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "import_rows" (
    "organization_id" UUID NOT NULL,
    "import_id" UUID NOT NULL,
    "line" INTEGER NOT NULL,
    "fields" JSONB NOT NULL,
    "verdict" "RowVerdict" NOT NULL,
    "reasons" TEXT[],
    "state" "RowState" NOT NULL DEFAULT 'WAITING',
    "result_id" UUID,
    "failure" TEXT,
    "done_at" TIMESTAMPTZ(3),

    CONSTRAINT "import_rows_pkey" PRIMARY KEY ("import_id","line")
);

-- CreateIndex
CREATE UNIQUE INDEX "email_integrations_organization_id_key" ON "email_integrations"("organization_id");

-- CreateIndex
CREATE UNIQUE INDEX "email_integrations_organization_id_id_key" ON "email_integrations"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "suppressions_organization_id_id_key" ON "suppressions"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "suppressions_organization_id_email_key" ON "suppressions"("organization_id", "email");

-- CreateIndex
CREATE UNIQUE INDEX "mail_events_organization_id_token_key" ON "mail_events"("organization_id", "token");

-- CreateIndex
CREATE UNIQUE INDEX "email_templates_organization_id_id_key" ON "email_templates"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "email_template_versions_organization_id_id_key" ON "email_template_versions"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "email_template_versions_template_id_version_key" ON "email_template_versions"("template_id", "version");

-- CreateIndex
CREATE UNIQUE INDEX "webhooks_organization_id_id_key" ON "webhooks"("organization_id", "id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_webhook_id_id_idx" ON "webhook_deliveries"("webhook_id", "id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_state_next_at_idx" ON "webhook_deliveries"("state", "next_at");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_deliveries_organization_id_id_key" ON "webhook_deliveries"("organization_id", "id");

-- CreateIndex
CREATE INDEX "webhook_attempts_delivery_id_id_idx" ON "webhook_attempts"("delivery_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_attempts_organization_id_id_key" ON "webhook_attempts"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "media_files_organization_id_id_key" ON "media_files"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "media_files_organization_id_cid_key" ON "media_files"("organization_id", "cid");

-- CreateIndex
CREATE UNIQUE INDEX "imports_organization_id_id_key" ON "imports"("organization_id", "id");

-- CreateIndex
CREATE INDEX "import_rows_import_id_state_line_idx" ON "import_rows"("import_id", "state", "line");

-- CreateIndex
CREATE INDEX "outbox_messages_organization_id_campaign_id_idx" ON "outbox_messages"("organization_id", "campaign_id");

-- CreateIndex
CREATE INDEX "events_organization_id_created_at_idx" ON "events"("organization_id", "created_at");

-- AddForeignKey
ALTER TABLE "email_templates" ADD CONSTRAINT "email_templates_organization_id_campaign_id_fkey" FOREIGN KEY ("organization_id", "campaign_id") REFERENCES "campaigns"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "email_template_versions" ADD CONSTRAINT "email_template_versions_organization_id_template_id_fkey" FOREIGN KEY ("organization_id", "template_id") REFERENCES "email_templates"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_organization_id_webhook_id_fkey" FOREIGN KEY ("organization_id", "webhook_id") REFERENCES "webhooks"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_organization_id_delivery_id_fkey" FOREIGN KEY ("organization_id", "delivery_id") REFERENCES "webhook_deliveries"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_rows" ADD CONSTRAINT "import_rows_organization_id_import_id_fkey" FOREIGN KEY ("organization_id", "import_id") REFERENCES "imports"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;



-- Roles and walls.
GRANT SELECT, INSERT, UPDATE, DELETE ON
  email_integrations, suppressions, mail_events, email_templates, email_template_versions, webhooks, webhook_deliveries, webhook_attempts,
  media_files, imports, import_rows
  TO vitrine_system, vitrine_app;
GRANT INSERT, UPDATE ON members TO vitrine_app;

DO $$
DECLARE table_name text;
BEGIN
  FOREACH table_name IN ARRAY ARRAY[
    'email_integrations', 'suppressions', 'mail_events', 'email_templates', 'email_template_versions', 'webhooks', 'webhook_deliveries', 'webhook_attempts',
    'media_files', 'imports', 'import_rows'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', table_name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', table_name);
    EXECUTE format('CREATE POLICY organization ON %I TO vitrine_app USING (organization_id = (SELECT current_organization())) WITH CHECK (organization_id = (SELECT current_organization()))', table_name);
    EXECUTE format('CREATE POLICY system ON %I TO vitrine_system USING (true) WITH CHECK (true)', table_name);
  END LOOP;
END $$;

-- Who was a member before there were invitations has joined.
UPDATE members SET joined_at = created_at;

-- One of a kind.
CREATE UNIQUE INDEX email_templates_one_per_campaign ON email_templates (organization_id, campaign_id, template_type) WHERE campaign_id IS NOT NULL;
CREATE UNIQUE INDEX email_templates_one_in_general ON email_templates (organization_id, template_type) WHERE campaign_id IS NULL;
CREATE UNIQUE INDEX webhook_deliveries_one_per_event ON webhook_deliveries (webhook_id, event_id) WHERE replay_of_id IS NULL AND event_id IS NOT NULL;

-- What is looked for while nobody waits.
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_at) WHERE state = 'PENDING';
CREATE INDEX imports_running ON imports (id) WHERE state = 'RUNNING';
CREATE INDEX email_claims_to_remind ON email_claims (expires_at) WHERE state = 'OPEN' AND reminded_at IS NULL AND expires_at IS NOT NULL;
CREATE INDEX audit_entries_newest ON audit_entries (organization_id, id);

ALTER TABLE campaigns ADD CONSTRAINT campaigns_reminder_sane CHECK (reminder_days BETWEEN 0 AND 60);
