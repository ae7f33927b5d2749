-- A campaign with many claims, or a webhook with many deliveries, is marked as deleted at once, and the worker removes its rows in batches
-- (lib/messaging/deletions). Marked rows are hidden from organizations by the policies below, whichever statement asks for them; only a
-- deletion itself sees them, in a transaction that has set vitrine.deleting.
ALTER TABLE "campaigns" ADD COLUMN "deleted_at" TIMESTAMPTZ(3);
ALTER TABLE "webhooks" ADD COLUMN "deleted_at" TIMESTAMPTZ(3);
CREATE INDEX campaigns_deleted ON campaigns (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX webhooks_deleted ON webhooks (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE POLICY not_deleted ON campaigns AS RESTRICTIVE TO vitrine_app USING (deleted_at IS NULL OR current_setting('vitrine.deleting', true) = 'on');
CREATE POLICY not_deleted ON webhooks AS RESTRICTIVE TO vitrine_app USING (deleted_at IS NULL OR current_setting('vitrine.deleting', true) = 'on');
