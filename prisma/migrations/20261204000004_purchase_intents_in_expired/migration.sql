-- outside a transaction
CREATE INDEX CONCURRENTLY purchase_intents_in_expired ON purchase_intents (organization_id, id) WHERE status = 'EXPIRED';
