-- When the metadata of an external contract's token was last read, or tried to be. NULL: not since this column exists.
ALTER TABLE items ADD COLUMN metadata_read_at timestamptz(3);

-- Which tokens of an external contract have metadata to be read again: what is asked for, and the pass over the collection that is under way.
CREATE TABLE metadata_passes (
  collection_id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  -- Asked for since the last step: single tokens, and one range that has all others.
  token_ids text[] NOT NULL DEFAULT '{}',
  first_token numeric(78, 0),
  last_token numeric(78, 0),
  -- The range of the pass, and the token id in its order up to which items are marked. NULL: no pass is under way.
  pass_first numeric(78, 0),
  pass_last numeric(78, 0),
  marked_to text,
  -- When the last pass began.
  began_at timestamptz(3),
  -- When the next step is due. NULL: nothing is asked for.
  due_at timestamptz(3),
  CONSTRAINT metadata_passes_asked CHECK ((first_token IS NULL) = (last_token IS NULL)),
  CONSTRAINT metadata_passes_under_way CHECK (num_nulls(pass_first, pass_last, marked_to) IN (0, 3)),
  CONSTRAINT metadata_passes_organization_id_collection_id_key UNIQUE (organization_id, collection_id),
  CONSTRAINT metadata_passes_organization_id_collection_id_fkey FOREIGN KEY (organization_id, collection_id)
    REFERENCES collections (organization_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX metadata_passes_due ON metadata_passes (due_at) WHERE due_at IS NOT NULL;

GRANT SELECT, INSERT, UPDATE, DELETE ON metadata_passes TO vitrine_system, vitrine_app;
ALTER TABLE metadata_passes ENABLE ROW LEVEL SECURITY;
ALTER TABLE metadata_passes FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON metadata_passes TO vitrine_app USING (organization_id = current_organization()) WITH CHECK (organization_id = current_organization());
CREATE POLICY system ON metadata_passes TO vitrine_system USING (true) WITH CHECK (true);

-- As for items: one of a LIVE collection isn't changed by a TEST key.
CREATE TRIGGER refuse_live_insert BEFORE INSERT ON metadata_passes FOR EACH ROW
  WHEN (current_setting('vitrine.mode', true) = 'TEST' AND current_setting('vitrine.test_collection', true) IS DISTINCT FROM NEW.collection_id::text)
  EXECUTE FUNCTION refuse_live_of_collection();
CREATE TRIGGER refuse_live_update BEFORE UPDATE ON metadata_passes FOR EACH ROW
  WHEN (current_setting('vitrine.mode', true) = 'TEST' AND (NEW.collection_id IS DISTINCT FROM OLD.collection_id
    OR current_setting('vitrine.test_collection', true) IS DISTINCT FROM OLD.collection_id::text))
  EXECUTE FUNCTION refuse_live_of_collection();
CREATE TRIGGER refuse_live_delete BEFORE DELETE ON metadata_passes FOR EACH ROW
  WHEN (current_setting('vitrine.mode', true) = 'TEST' AND current_setting('vitrine.test_collection', true) IS DISTINCT FROM OLD.collection_id::text)
  EXECUTE FUNCTION refuse_live_of_collection();
