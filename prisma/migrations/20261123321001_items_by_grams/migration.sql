-- outside a transaction
CREATE INDEX CONCURRENTLY items_by_grams ON items USING gin (grams_of(attributes ->> 'title'));
