-- outside a transaction
CREATE INDEX CONCURRENTLY events_by_position ON events (organization_id, position, id) WHERE position IS NOT NULL;
