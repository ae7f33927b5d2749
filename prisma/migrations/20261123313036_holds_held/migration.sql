-- outside a transaction
CREATE INDEX CONCURRENTLY holds_held ON holds (organization_id, collection_id) INCLUDE (quantity) WHERE state = 'HELD';
