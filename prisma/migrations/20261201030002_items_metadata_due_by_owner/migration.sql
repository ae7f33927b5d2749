-- outside a transaction
CREATE INDEX CONCURRENTLY items_metadata_due_by_owner ON items (organization_id, metadata_due_at, id) WHERE metadata_due_at IS NOT NULL;
