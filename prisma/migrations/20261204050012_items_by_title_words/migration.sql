-- outside a transaction
CREATE INDEX CONCURRENTLY items_by_title_words ON items USING gin (to_tsvector('simple', search_form(coalesce(attributes->>'title', ''))));
