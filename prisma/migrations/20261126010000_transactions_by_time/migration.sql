-- outside a transaction
CREATE INDEX CONCURRENTLY transactions_by_time ON transactions (organization_id, network_id, created_at);
