-- outside a transaction
CREATE INDEX CONCURRENTLY transactions_waiting ON transactions (network_id, id) WHERE state = 'PENDING';
