-- outside a transaction
-- Transactions that are submitted are found by their block, or by having none.
DROP INDEX CONCURRENTLY transactions_submitted;
