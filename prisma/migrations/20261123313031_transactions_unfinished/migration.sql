-- outside a transaction
CREATE INDEX CONCURRENTLY transactions_unfinished ON transactions (organization_id, id) WHERE state <> 'COMPLETED';
