-- outside a transaction
CREATE INDEX CONCURRENTLY holds_by_item ON holds (organization_id, item_id, id);
