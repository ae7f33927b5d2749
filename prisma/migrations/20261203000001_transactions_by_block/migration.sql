-- outside a transaction
CREATE INDEX CONCURRENTLY transactions_by_block ON transactions (network_id, block_number) WHERE block_number IS NOT NULL;
