-- outside a transaction
CREATE INDEX CONCURRENTLY items_by_status ON items (organization_id, token_status, id);
