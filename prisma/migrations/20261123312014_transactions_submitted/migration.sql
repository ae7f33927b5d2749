-- outside a transaction
CREATE INDEX CONCURRENTLY transactions_submitted ON transactions (network_id, operator, nonce) WHERE state = 'SUBMITTED';
