-- As for items: of these rows, too, the collection alone decides. No JSON is made to ask for it, neither of the row nor of its collection's id.
CREATE FUNCTION refuse_live_of_collection() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND is_live_collection(OLD.collection_id)
    OR TG_OP <> 'DELETE' AND NEW.collection_id IS DISTINCT FROM OLD.collection_id AND is_live_collection(NEW.collection_id) THEN
    RAISE EXCEPTION 'mode_mismatch' USING ERRCODE = 'VT003';
  END IF;
  IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
  RETURN NEW;
END $$;
DO $$
DECLARE table_name text;
BEGIN
  FOREACH table_name IN ARRAY ARRAY['items', 'holds', 'email_claims', 'mint_requests', 'transactions', 'vouchers'] LOOP
    EXECUTE format('DROP TRIGGER refuse_live ON %I', table_name);
    EXECUTE format($f$CREATE TRIGGER refuse_live BEFORE INSERT OR UPDATE OR DELETE ON %I FOR EACH ROW
      WHEN (current_setting('vitrine.mode', true) = 'TEST') EXECUTE FUNCTION refuse_live_of_collection()$f$, table_name);
  END LOOP;
END $$;
DROP FUNCTION refuse_live_item();
