-- outside a transaction
CREATE INDEX CONCURRENTLY listings_by_price ON listings (organization_id, currency, price, id);
