-- outside a transaction
CREATE INDEX CONCURRENTLY listing_allowances_by_grams ON listing_allowances USING gin (array_append(grams_of(identity), listing_id::text));
