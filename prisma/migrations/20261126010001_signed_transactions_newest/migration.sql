-- outside a transaction
CREATE INDEX CONCURRENTLY signed_transactions_newest ON signed_transactions (organization_id, network_id, id);
