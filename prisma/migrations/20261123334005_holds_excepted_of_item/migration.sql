-- outside a transaction
CREATE INDEX CONCURRENTLY holds_excepted_of_item ON holds (organization_id, item_id, id) WHERE state = 'EXCEPTION';
