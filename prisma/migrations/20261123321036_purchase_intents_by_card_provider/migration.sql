-- outside a transaction
CREATE INDEX CONCURRENTLY purchase_intents_by_card_provider ON purchase_intents (organization_id, id) WHERE provider = 'CARD_PROVIDER';
