-- outside a transaction
-- purchase_units_of_item takes its place: who asks is confined to an organization.
DROP INDEX CONCURRENTLY IF EXISTS purchase_units_item;
