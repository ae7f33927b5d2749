-- outside a transaction
-- holds_by_item begins with its columns.
DROP INDEX CONCURRENTLY IF EXISTS holds_organization_id_item_id_idx;
