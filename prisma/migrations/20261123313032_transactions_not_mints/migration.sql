-- outside a transaction
CREATE INDEX CONCURRENTLY transactions_not_mints ON transactions (organization_id, id) WHERE tx_type <> 'ADMIN_MINT';
