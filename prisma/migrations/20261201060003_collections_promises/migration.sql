-- outside a transaction
CREATE INDEX CONCURRENTLY collections_promises_held ON collections (network_id, promises_from) WHERE promises_from IS NOT NULL;
