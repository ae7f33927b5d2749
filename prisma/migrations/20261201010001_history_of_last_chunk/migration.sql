-- outside a transaction
CREATE INDEX CONCURRENTLY item_history_last_chunk ON item_history (network_id, collection_id)
  WHERE type = 'MINT' AND length(token_id) = 19 AND token_id COLLATE "C" >= '9223372036854775680' AND token_id COLLATE "C" <= '9223372036854775807';
