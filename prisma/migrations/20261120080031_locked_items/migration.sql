-- An item that is born locked adds its units to the collection's pool like one that is locked later.
CREATE FUNCTION item_stock_started() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE collections SET pool_free = pool_free + free_units(NEW) WHERE id = NEW.collection_id;
  RETURN NULL;
END $$;
CREATE TRIGGER item_stock_started AFTER INSERT ON items FOR EACH ROW WHEN (NEW.locked_at IS NOT NULL AND NEW.max_supply IS NOT NULL)
  EXECUTE FUNCTION item_stock_started();
