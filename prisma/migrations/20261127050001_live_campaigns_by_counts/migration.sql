-- The same answers. Whether a campaign has claims of a LIVE collection is asked of their numbers: of 100,000 claims each was read, three times for a
-- campaign that a TEST key deleted.
CREATE FUNCTION is_live_collection(of_collection uuid) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (SELECT 1 FROM collections c WHERE c.id = of_collection AND c.mode = 'LIVE');
END $$;

CREATE OR REPLACE FUNCTION is_live(of_table text, r jsonb) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE
  row_id uuid;
BEGIN
  IF r ? 'mode' THEN
    RETURN coalesce(r ->> 'mode' = 'LIVE', false);
  END IF;
  IF r ? 'collection_id' THEN
    RETURN is_live_collection((r ->> 'collection_id')::uuid);
  END IF;
  row_id := r ->> 'id';
  IF of_table = 'campaigns' THEN
    IF EXISTS (SELECT 1 FROM listings l WHERE l.campaign_id = row_id AND l.mode = 'LIVE') THEN
      RETURN true;
    END IF;
    -- Its claims may be very many: their numbers tell of which collections they are.
    IF NOT EXISTS (SELECT 1 FROM collections c WHERE c.organization_id = (r ->> 'organization_id')::uuid AND c.mode = 'LIVE') THEN
      RETURN false;
    END IF;
    RETURN EXISTS (SELECT 1 FROM row_counts n JOIN collections c ON c.id = n.parent_id
      WHERE n.table_name = 'email_claims' AND n.organization_id = (r ->> 'organization_id')::uuid AND n.traits[1] = row_id::text AND c.mode = 'LIVE'
      GROUP BY n.parent_id HAVING sum(n.amount) > 0);
  END IF;
  IF of_table = 'item_types' THEN
    RETURN EXISTS (SELECT 1 FROM collections c WHERE c.default_item_type_id = row_id AND c.mode = 'LIVE')
      OR EXISTS (SELECT 1 FROM items i JOIN collections c ON c.id = i.collection_id WHERE i.item_type_id = row_id AND c.mode = 'LIVE');
  END IF;
  IF of_table = 'imports' THEN
    RETURN EXISTS (SELECT 1 FROM collections c WHERE c.id = (r -> 'options' ->> 'collection_id')::uuid AND c.mode = 'LIVE')
      OR EXISTS (SELECT 1 FROM items i JOIN collections c ON c.id = i.collection_id WHERE i.id = (r -> 'options' ->> 'item_id')::uuid AND c.mode = 'LIVE')
      OR CASE WHEN r ->> 'kind' = 'EMAIL_CLAIMS' THEN any_live(ARRAY(
        SELECT DISTINCT named FROM import_rows line, ids_in(line.fields) named WHERE line.import_id = row_id)) ELSE false END;
  END IF;
  IF r ? 'claim_id' THEN
    RETURN EXISTS (SELECT 1 FROM email_claims e JOIN collections c ON c.id = e.collection_id WHERE e.id = (r ->> 'claim_id')::uuid AND c.mode = 'LIVE');
  END IF;
  IF r ? 'listing_id' THEN
    RETURN EXISTS (SELECT 1 FROM listings l WHERE l.id = (r ->> 'listing_id')::uuid AND l.mode = 'LIVE');
  END IF;
  IF r ? 'intent_id' THEN
    RETURN EXISTS (SELECT 1 FROM purchase_intents p WHERE p.id = (r ->> 'intent_id')::uuid AND p.mode = 'LIVE');
  END IF;
  IF r ? 'item_id' THEN
    RETURN EXISTS (SELECT 1 FROM items i JOIN collections c ON c.id = i.collection_id WHERE i.id = (r ->> 'item_id')::uuid AND c.mode = 'LIVE');
  END IF;
  IF r ? 'snapshot_id' THEN
    RETURN EXISTS (SELECT 1 FROM snapshots s JOIN collections c ON c.id = s.collection_id WHERE s.id = (r ->> 'snapshot_id')::uuid AND c.mode = 'LIVE');
  END IF;
  IF r ? 'transaction_id' THEN
    RETURN EXISTS (SELECT 1 FROM transactions t JOIN collections c ON c.id = t.collection_id WHERE t.id = (r ->> 'transaction_id')::uuid AND c.mode = 'LIVE');
  END IF;
  RETURN false;
END $$;
