-- outside a transaction
CREATE INDEX CONCURRENTLY listing_allowances_by_pairs ON listing_allowances USING gin (array_append(pairs_of(identity), listing_id::text));
