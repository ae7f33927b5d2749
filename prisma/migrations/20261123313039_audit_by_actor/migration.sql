-- outside a transaction
CREATE INDEX CONCURRENTLY audit_entries_by_actor ON audit_entries (organization_id, actor_type, id);
