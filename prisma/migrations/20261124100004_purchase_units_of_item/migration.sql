-- outside a transaction
CREATE INDEX CONCURRENTLY purchase_units_of_item ON purchase_units (organization_id, item_id, intent_id);
