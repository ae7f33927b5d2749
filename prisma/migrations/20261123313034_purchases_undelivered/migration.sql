-- outside a transaction
CREATE INDEX CONCURRENTLY purchase_intents_undelivered ON purchase_intents (organization_id, id) WHERE fulfillment_status <> 'COMPLETED';
