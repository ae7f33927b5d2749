-- outside a transaction
CREATE INDEX CONCURRENTLY item_history_transfers ON item_history (item_id, id) WHERE type = 'TRANSFER';
