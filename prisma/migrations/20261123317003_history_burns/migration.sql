-- outside a transaction
CREATE INDEX CONCURRENTLY item_history_burns ON item_history (item_id, id) WHERE type = 'BURN';
