-- outside a transaction
CREATE INDEX CONCURRENTLY audit_entries_by_actor_id ON audit_entries (organization_id, actor_id, id) WHERE actor_id IS NOT NULL;
