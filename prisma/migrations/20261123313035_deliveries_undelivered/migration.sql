-- outside a transaction
CREATE INDEX CONCURRENTLY webhook_deliveries_undelivered ON webhook_deliveries (webhook_id, id) WHERE state <> 'DELIVERED';
