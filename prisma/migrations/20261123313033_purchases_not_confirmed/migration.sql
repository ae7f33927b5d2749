-- outside a transaction
CREATE INDEX CONCURRENTLY purchase_intents_not_confirmed ON purchase_intents (organization_id, id) WHERE status <> 'CONFIRMED';
