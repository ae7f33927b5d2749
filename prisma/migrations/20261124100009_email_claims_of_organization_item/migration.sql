-- outside a transaction
-- email_claims_of_item begins with its columns.
DROP INDEX CONCURRENTLY IF EXISTS email_claims_organization_id_item_id_idx;
