-- outside a transaction
CREATE INDEX CONCURRENTLY purchase_intents_by_organization ON purchase_intents (organization_id, id) WHERE provider = 'ORGANIZATION';
