-- outside a transaction
CREATE INDEX CONCURRENTLY webhook_deliveries_by_type ON webhook_deliveries (webhook_id, event_type, id);
