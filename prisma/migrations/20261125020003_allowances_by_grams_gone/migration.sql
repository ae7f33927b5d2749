-- outside a transaction
DROP INDEX CONCURRENTLY listing_allowances_by_grams;
