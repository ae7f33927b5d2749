-- outside a transaction
CREATE INDEX CONCURRENTLY audit_entries_by_time ON audit_entries (organization_id, created_at);
