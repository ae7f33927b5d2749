-- outside a transaction
CREATE INDEX CONCURRENTLY items_free_by_token ON items (collection_id, length(token_id), token_id) WHERE is_free;
