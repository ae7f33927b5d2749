-- outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS item_owners_address_idx;
