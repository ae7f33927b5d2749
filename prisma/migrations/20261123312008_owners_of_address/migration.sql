-- outside a transaction
CREATE INDEX CONCURRENTLY item_owners_of_address ON item_owners (address, item_id);
