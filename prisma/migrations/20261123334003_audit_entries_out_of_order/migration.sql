-- outside a transaction
CREATE INDEX CONCURRENTLY audit_entries_out_of_order ON audit_entries (organization_id, created_at) WHERE is_out_of_order(id, created_at);
