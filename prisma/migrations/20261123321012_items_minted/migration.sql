-- outside a transaction
CREATE INDEX CONCURRENTLY items_minted ON items (organization_id, id) WHERE minted > 0 AND burned < minted;
