-- outside a transaction
CREATE INDEX CONCURRENTLY audit_entries_by_action ON audit_entries (organization_id, action, id);
