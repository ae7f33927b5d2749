-- outside a transaction
-- purchase_intents_of_listing begins with its columns.
DROP INDEX CONCURRENTLY IF EXISTS purchase_intents_organization_id_listing_id_idx;
