-- outside a transaction
CREATE INDEX CONCURRENTLY holds_released_of_item ON holds (organization_id, item_id, id) WHERE state = 'RELEASED';
