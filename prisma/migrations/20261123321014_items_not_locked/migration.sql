-- outside a transaction
CREATE INDEX CONCURRENTLY items_not_locked ON items (organization_id, id) WHERE locked_at IS NULL;
