-- outside a transaction
-- mint_requests_of_item begins with its columns.
DROP INDEX CONCURRENTLY IF EXISTS mint_requests_organization_id_item_id_idx;
