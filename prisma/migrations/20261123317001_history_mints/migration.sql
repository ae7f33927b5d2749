-- outside a transaction
CREATE INDEX CONCURRENTLY item_history_mints ON item_history (item_id, id) WHERE type = 'MINT';
