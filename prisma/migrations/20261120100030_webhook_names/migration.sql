-- A webhook is told apart by its name; what is due, missed or old is found without looking at all the rest.
ALTER TABLE webhooks RENAME COLUMN description TO name;
UPDATE webhooks SET name = left(url, 255) WHERE name IS NULL;
ALTER TABLE webhooks ALTER COLUMN name SET NOT NULL;

CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (webhook_id, next_at, id) WHERE state = 'PENDING';

-- CreateIndex
CREATE INDEX "webhook_deliveries_webhook_id_event_id_idx" ON "webhook_deliveries"("webhook_id", "event_id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_created_at_idx" ON "webhook_deliveries"("created_at");
