-- Locking a collection's items changes thousands of rows at once: the pool is counted once a statement, not once a row.
DROP TRIGGER item_stock_changed ON items;
DROP FUNCTION item_stock_changed();

CREATE FUNCTION items_stock_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE collections c SET pool_free = c.pool_free + changed.more
  FROM (
    SELECT after.collection_id, sum(free_units(after.*::items) - free_units(before.*::items))::bigint AS more
    FROM after JOIN before USING (id)
    GROUP BY after.collection_id
  ) changed
  WHERE c.id = changed.collection_id AND changed.more <> 0;
  RETURN NULL;
END $$;
CREATE TRIGGER items_stock_changed AFTER UPDATE ON items
  REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION items_stock_changed();

-- Public lists walk one collection's locked items by id; item types ask whether anything uses them.
CREATE INDEX items_published ON items (collection_id, id) WHERE locked_at IS NOT NULL;
CREATE INDEX items_of_type ON items (item_type_id) WHERE item_type_id IS NOT NULL;
CREATE INDEX collections_of_default_type ON collections (default_item_type_id) WHERE default_item_type_id IS NOT NULL;
