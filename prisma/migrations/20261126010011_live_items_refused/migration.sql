-- A TEST key may write very many items in one statement. Only their collection decides: it is asked for once a row, and the row isn't made JSON for it.
CREATE FUNCTION refuse_live_item() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND is_live('items', jsonb_build_object('collection_id', OLD.collection_id))
    OR TG_OP <> 'DELETE' AND NEW.collection_id IS DISTINCT FROM OLD.collection_id AND is_live('items', jsonb_build_object('collection_id', NEW.collection_id)) THEN
    RAISE EXCEPTION 'mode_mismatch' USING ERRCODE = 'VT003';
  END IF;
  IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
  RETURN NEW;
END $$;
DROP TRIGGER refuse_live ON items;
CREATE TRIGGER refuse_live BEFORE INSERT OR UPDATE OR DELETE ON items FOR EACH ROW
  WHEN (current_setting('vitrine.mode', true) = 'TEST') EXECUTE FUNCTION refuse_live_item();
