-- A TEST key's transaction remembers the last collection that it found not to be LIVE, so that further rows of it cost a comparison instead of a call and
-- a look-up. A setting of the transaction: rolled back and forgotten with it.
CREATE OR REPLACE FUNCTION refuse_live_of_collection() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND is_live_collection(OLD.collection_id)
    OR TG_OP <> 'DELETE' AND NEW.collection_id IS DISTINCT FROM OLD.collection_id AND is_live_collection(NEW.collection_id) THEN
    RAISE EXCEPTION 'mode_mismatch' USING ERRCODE = 'VT003';
  END IF;
  IF TG_OP = 'DELETE' THEN
    PERFORM set_config('vitrine.test_collection', OLD.collection_id::text, true);
    RETURN OLD;
  END IF;
  PERFORM set_config('vitrine.test_collection', NEW.collection_id::text, true);
  RETURN NEW;
END $$;
-- A condition can't name the new row of a DELETE, or the old one of an INSERT: a trigger for each.
DO $$
DECLARE table_name text;
BEGIN
  FOREACH table_name IN ARRAY ARRAY['items', 'holds', 'email_claims', 'mint_requests', 'transactions', 'vouchers'] LOOP
    EXECUTE format('DROP TRIGGER refuse_live ON %I', table_name);
    EXECUTE format($f$CREATE TRIGGER refuse_live_insert BEFORE INSERT ON %I FOR EACH ROW
      WHEN (current_setting('vitrine.mode', true) = 'TEST' AND current_setting('vitrine.test_collection', true) IS DISTINCT FROM NEW.collection_id::text)
      EXECUTE FUNCTION refuse_live_of_collection()$f$, table_name);
    EXECUTE format($f$CREATE TRIGGER refuse_live_update BEFORE UPDATE ON %I FOR EACH ROW
      WHEN (current_setting('vitrine.mode', true) = 'TEST' AND (NEW.collection_id IS DISTINCT FROM OLD.collection_id
        OR current_setting('vitrine.test_collection', true) IS DISTINCT FROM OLD.collection_id::text))
      EXECUTE FUNCTION refuse_live_of_collection()$f$, table_name);
    EXECUTE format($f$CREATE TRIGGER refuse_live_delete BEFORE DELETE ON %I FOR EACH ROW
      WHEN (current_setting('vitrine.mode', true) = 'TEST' AND current_setting('vitrine.test_collection', true) IS DISTINCT FROM OLD.collection_id::text)
      EXECUTE FUNCTION refuse_live_of_collection()$f$, table_name);
  END LOOP;
END $$;
