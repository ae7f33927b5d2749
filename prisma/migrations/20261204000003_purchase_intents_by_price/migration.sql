-- outside a transaction
CREATE INDEX CONCURRENTLY purchase_intents_by_price ON purchase_intents (organization_id, currency, total, id);
