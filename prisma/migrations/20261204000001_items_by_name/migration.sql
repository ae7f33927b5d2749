-- outside a transaction
CREATE INDEX CONCURRENTLY items_by_name ON items (organization_id, (name_order(attributes ->> 'title') COLLATE "C"), id);
