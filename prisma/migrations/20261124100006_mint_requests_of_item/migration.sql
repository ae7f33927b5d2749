-- outside a transaction
CREATE INDEX CONCURRENTLY mint_requests_of_item ON mint_requests (organization_id, item_id, id);
