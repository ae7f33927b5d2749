-- outside a transaction
CREATE INDEX CONCURRENTLY transactions_submitted_by_block ON transactions (network_id, block_number, operator, nonce) WHERE state = 'SUBMITTED';
