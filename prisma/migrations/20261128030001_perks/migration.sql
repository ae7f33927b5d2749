-- What only the present holder of an item gets: a text, a link, a file, or one of many codes.
CREATE TYPE "PerkKind" AS ENUM ('TEXT', 'LINK', 'FILE', 'CODES');
CREATE TABLE perks (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  collection_id uuid NOT NULL,
  -- NULL: it comes with each item of the collection.
  item_id uuid,
  kind "PerkKind" NOT NULL,
  title text NOT NULL,
  -- Its title is shown to everybody.
  is_public boolean NOT NULL,
  -- Sealed: the text, the link, or the key of the codes' prints.
  content bytea NOT NULL,
  file_name text,
  file_bytes integer,
  code_count integer NOT NULL DEFAULT 0,
  given_count integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  CONSTRAINT perks_file CHECK ((kind = 'FILE') = (file_name IS NOT NULL) AND (file_name IS NULL) = (file_bytes IS NULL)),
  CONSTRAINT perks_codes CHECK (given_count BETWEEN 0 AND code_count AND (kind = 'CODES' OR code_count = 0)),
  CONSTRAINT perks_organization_id_id_key UNIQUE (organization_id, id),
  -- Only what nobody owns yet can be deleted with its perks.
  CONSTRAINT perks_organization_id_collection_id_fkey FOREIGN KEY (organization_id, collection_id)
    REFERENCES collections (organization_id, id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT perks_organization_id_item_id_fkey FOREIGN KEY (organization_id, item_id)
    REFERENCES items (organization_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX perks_item_id_idx ON perks (item_id);
CREATE INDEX perks_collection_id_idx ON perks (collection_id);

CREATE TABLE perk_codes (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  perk_id uuid NOT NULL,
  code bytea NOT NULL,
  -- Of the code, by a key of its perk: the same code is never entered twice.
  print bytea NOT NULL,
  -- NULL until it is given: for which unit of which item, counted from 1, and to which address.
  item_id uuid,
  unit integer,
  address text,
  -- The address owned the unit in this block, which was final.
  final_block bigint,
  given_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT perk_codes_given CHECK (num_nulls(item_id, unit, address, final_block, given_at) IN (0, 5)),
  CONSTRAINT perk_codes_perk_id_print_key UNIQUE (perk_id, print),
  CONSTRAINT perk_codes_organization_id_id_key UNIQUE (organization_id, id),
  -- A unit gets one code of a perk, ever.
  CONSTRAINT perk_codes_perk_id_item_id_unit_key UNIQUE (perk_id, item_id, unit),
  CONSTRAINT perk_codes_organization_id_perk_id_fkey FOREIGN KEY (organization_id, perk_id)
    REFERENCES perks (organization_id, id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT perk_codes_organization_id_item_id_fkey FOREIGN KEY (organization_id, item_id)
    REFERENCES items (organization_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX perk_codes_free ON perk_codes (perk_id, id) WHERE item_id IS NULL;
CREATE INDEX perk_codes_taken ON perk_codes (perk_id, id) WHERE item_id IS NOT NULL;

-- The bytes of a file, sealed in parts.
CREATE TABLE perk_file_parts (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  perk_id uuid NOT NULL,
  place integer NOT NULL,
  bytes bytea NOT NULL,
  CONSTRAINT perk_file_parts_organization_id_id_key UNIQUE (organization_id, id),
  CONSTRAINT perk_file_parts_perk_id_place_key UNIQUE (perk_id, place),
  CONSTRAINT perk_file_parts_organization_id_perk_id_fkey FOREIGN KEY (organization_id, perk_id)
    REFERENCES perks (organization_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);

GRANT SELECT, INSERT, UPDATE, DELETE ON perks, perk_codes, perk_file_parts TO vitrine_system, vitrine_app;
-- What is sealed stays out of reach of those who read published rows.
GRANT SELECT (id, organization_id, collection_id, item_id, kind, title, is_public, code_count, given_count) ON perks TO vitrine_public;
GRANT SELECT (id, organization_id, perk_id, item_id) ON perk_codes TO vitrine_public;
ALTER TABLE perks ENABLE ROW LEVEL SECURITY;
ALTER TABLE perks FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON perks TO vitrine_app USING (organization_id = current_organization()) WITH CHECK (organization_id = current_organization());
CREATE POLICY system ON perks TO vitrine_system USING (true) WITH CHECK (true);
CREATE POLICY published ON perks FOR SELECT TO vitrine_public
  USING (is_public AND EXISTS (SELECT 1 FROM collections c WHERE c.id = collection_id));
ALTER TABLE perk_codes ENABLE ROW LEVEL SECURITY;
ALTER TABLE perk_codes FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON perk_codes TO vitrine_app USING (organization_id = current_organization()) WITH CHECK (organization_id = current_organization());
CREATE POLICY system ON perk_codes TO vitrine_system USING (true) WITH CHECK (true);
CREATE POLICY published ON perk_codes FOR SELECT TO vitrine_public
  USING (item_id IS NOT NULL AND EXISTS (SELECT 1 FROM perks p WHERE p.id = perk_id));
ALTER TABLE perk_file_parts ENABLE ROW LEVEL SECURITY;
ALTER TABLE perk_file_parts FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON perk_file_parts TO vitrine_app USING (organization_id = current_organization()) WITH CHECK (organization_id = current_organization());
CREATE POLICY system ON perk_file_parts TO vitrine_system USING (true) WITH CHECK (true);

-- As for items: a perk of a LIVE collection isn't changed by a TEST key. Its codes and files are only written with it.
CREATE TRIGGER refuse_live_insert BEFORE INSERT ON perks FOR EACH ROW
  WHEN (current_setting('vitrine.mode', true) = 'TEST' AND current_setting('vitrine.test_collection', true) IS DISTINCT FROM NEW.collection_id::text)
  EXECUTE FUNCTION refuse_live_of_collection();
CREATE TRIGGER refuse_live_update BEFORE UPDATE ON perks FOR EACH ROW
  WHEN (current_setting('vitrine.mode', true) = 'TEST' AND (NEW.collection_id IS DISTINCT FROM OLD.collection_id
    OR current_setting('vitrine.test_collection', true) IS DISTINCT FROM OLD.collection_id::text))
  EXECUTE FUNCTION refuse_live_of_collection();
CREATE TRIGGER refuse_live_delete BEFORE DELETE ON perks FOR EACH ROW
  WHEN (current_setting('vitrine.mode', true) = 'TEST' AND current_setting('vitrine.test_collection', true) IS DISTINCT FROM OLD.collection_id::text)
  EXECUTE FUNCTION refuse_live_of_collection();
