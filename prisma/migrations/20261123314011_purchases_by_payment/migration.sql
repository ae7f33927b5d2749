-- outside a transaction
CREATE INDEX CONCURRENTLY purchase_intents_by_payment ON purchase_intents (organization_id, confirmed_at) WHERE confirmed_at IS NOT NULL;
