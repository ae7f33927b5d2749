-- outside a transaction
CREATE INDEX CONCURRENTLY items_by_title_grams ON items USING gin (grams_of(search_form(attributes ->> 'title')));
