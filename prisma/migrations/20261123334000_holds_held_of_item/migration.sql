-- outside a transaction
-- A page of what holds an item now, in order: holds_by_item has all that have ended, too.
CREATE INDEX CONCURRENTLY holds_held_of_item ON holds (organization_id, item_id, id) WHERE state = 'HELD';
