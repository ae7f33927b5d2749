-- outside a transaction
CREATE INDEX CONCURRENTLY items_minting ON items (organization_id, id) WHERE minted = 0 AND minting > 0;
