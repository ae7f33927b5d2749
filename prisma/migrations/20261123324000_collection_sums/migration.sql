-- What the items of a collection add up to, so that nobody reads all of them for it:
--   minted      units ever minted of its locked items
--   owners      addresses that own units of its items
--   trait       locked items that have `value` for the attribute `name`; each entry of a list is a value
--   attributes  items, locked (name 'true') or not, whose attributes have the names in `value`
-- A row is an amount by which a statement changed a sum; the sum is that of its rows. Nobody waits for another's row, and whoever reads sees what
-- their snapshot of the items would give. A timer adds the amounts to one row for each sum (`folded`), which only the timer changes.
CREATE TABLE "collection_sums" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "collection_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "folded" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "collection_sums_pkey" PRIMARY KEY ("id")
);
-- A value may be longer than an entry of an index.
CREATE UNIQUE INDEX collection_sums_folded ON collection_sums (collection_id, kind, name, md5(value)) WHERE folded;
CREATE INDEX collection_sums_due ON collection_sums (collection_id) WHERE NOT folded OR amount = 0;
CREATE INDEX collection_sums_frequent ON collection_sums (collection_id, name, amount DESC, left(value, 100)) WHERE folded AND kind = 'trait';
CREATE INDEX collection_sums_attributes ON collection_sums (organization_id, collection_id) WHERE kind = 'attributes';
-- Rows come and go all the time.
ALTER TABLE collection_sums SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);

-- How many items of a collection each address owns units of. Only the indexer of the collection's network changes item_owners, so nobody waits.
CREATE TABLE "collection_owners" (
    "organization_id" UUID NOT NULL,
    "collection_id" UUID NOT NULL,
    "address" TEXT NOT NULL,
    "items" BIGINT NOT NULL,

    CONSTRAINT "collection_owners_pkey" PRIMARY KEY ("collection_id", "address")
);
CREATE INDEX collection_owners_gone ON collection_owners (collection_id) WHERE items = 0;

GRANT SELECT, INSERT, UPDATE, DELETE ON collection_sums, collection_owners TO vitrine_system;
GRANT SELECT, INSERT ON collection_sums TO vitrine_app;
GRANT SELECT, INSERT, UPDATE ON collection_owners TO vitrine_app;
GRANT SELECT ON collection_sums TO vitrine_public;
ALTER TABLE collection_sums ENABLE ROW LEVEL SECURITY;
ALTER TABLE collection_sums FORCE ROW LEVEL SECURITY;
ALTER TABLE collection_owners ENABLE ROW LEVEL SECURITY;
ALTER TABLE collection_owners FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON collection_sums TO vitrine_app USING (organization_id = current_organization()) WITH CHECK (organization_id = current_organization());
CREATE POLICY organization ON collection_owners TO vitrine_app USING (organization_id = current_organization()) WITH CHECK (organization_id = current_organization());
CREATE POLICY system ON collection_sums TO vitrine_system USING (true) WITH CHECK (true);
CREATE POLICY system ON collection_owners TO vitrine_system USING (true) WITH CHECK (true);
-- What locked items of deployed collections add up to, as the policy of items has it.
CREATE POLICY published ON collection_sums FOR SELECT TO vitrine_public
  USING (kind IN ('minted', 'owners', 'trait') AND collection_id IN (SELECT c.id FROM collections c));

-- The attributes by which items are told apart, with each value once. The others are DESCRIPTIVE_ATTRIBUTES (lib/catalog/collections/collection-stats.ts).
CREATE FUNCTION traits_of(attributes jsonb) RETURNS TABLE (name text, value text) LANGUAGE sql IMMUTABLE AS $$
  SELECT DISTINCT a.key, e #>> '{}'
  FROM jsonb_each(CASE jsonb_typeof(attributes) WHEN 'object' THEN attributes ELSE '{}' END) a, jsonb_path_query(a.value, '$[*]') e
  WHERE a.key <> ALL ('{title,description,image_url,animation_url,external_url}'::text[]) AND jsonb_typeof(e) IN ('string', 'number', 'boolean')
$$;

-- A JSON list; equal attributes have their names in the same order.
CREATE FUNCTION attribute_names(attributes jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT to_jsonb(ARRAY(SELECT jsonb_object_keys(CASE jsonb_typeof(attributes) WHEN 'object' THEN attributes ELSE '{}' END)))::text
$$;

-- Attributes are compared as text: 1 and 1.0 are equal numbers and two values.
DO $$
DECLARE
  sums text := $body$
    INSERT INTO collection_sums (organization_id, collection_id, kind, name, value, amount)
    WITH rows AS (%s),
    changed AS MATERIALIZED (
      SELECT organization_id, collection_id, locked, attributes::text AS attributes, sum(change) AS change FROM rows GROUP BY 1, 2, 3, 4 HAVING sum(change) <> 0)
    SELECT organization_id, collection_id, 'minted', '', '', sum(minted * change) FROM rows WHERE locked GROUP BY 1, 2 HAVING sum(minted * change) <> 0
    UNION ALL
    SELECT organization_id, collection_id, 'attributes', locked::text, attribute_names(attributes::jsonb), sum(change) FROM changed
    GROUP BY 1, 2, 4, 5 HAVING sum(change) <> 0
    UNION ALL
    SELECT c.organization_id, c.collection_id, 'trait', t.name, t.value, sum(c.change) FROM changed c, traits_of(c.attributes::jsonb) t WHERE c.locked
    GROUP BY 1, 2, 4, 5 HAVING sum(c.change) <> 0;
  $body$;
  added text := 'SELECT organization_id, collection_id, locked_at IS NOT NULL AS locked, attributes, minted, 1 AS change FROM after';
  removed text := 'SELECT organization_id, collection_id, locked_at IS NOT NULL AS locked, attributes, minted, -1 AS change FROM before';
BEGIN
  EXECUTE format($code$
    CREATE FUNCTION sum_items() RETURNS trigger LANGUAGE plpgsql AS $function$
    BEGIN
      IF TG_OP = 'INSERT' THEN %s
      ELSIF TG_OP = 'DELETE' THEN %s
      ELSE %s
      END IF;
      RETURN NULL;
    END $function$ $code$, format(sums, added), format(sums, removed), format(sums, added || ' UNION ALL ' || removed));
END $$;
CREATE TRIGGER sum_inserted AFTER INSERT ON items REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION sum_items();
CREATE TRIGGER sum_deleted AFTER DELETE ON items REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION sum_items();
CREATE TRIGGER sum_updated AFTER UPDATE ON items REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION sum_items();

DO $$
DECLARE
  sums text := $body$
    INSERT INTO collection_owners AS o (organization_id, collection_id, address, items)
    SELECT i.organization_id, i.collection_id, c.address, sum(c.change) FROM (
      SELECT item_id, address, sum(change) AS change FROM (%s) rows GROUP BY 1, 2 HAVING sum(change) <> 0) c
    JOIN items i ON i.id = c.item_id GROUP BY 1, 2, 3 HAVING sum(c.change) <> 0 ORDER BY 2, 3
    ON CONFLICT (collection_id, address) DO UPDATE SET items = o.items + excluded.items;
  $body$;
  added text := 'SELECT item_id, address, 1 AS change FROM after WHERE quantity > 0';
  removed text := 'SELECT item_id, address, -1 AS change FROM before WHERE quantity > 0';
BEGIN
  EXECUTE format($code$
    CREATE FUNCTION sum_item_owners() RETURNS trigger LANGUAGE plpgsql AS $function$
    BEGIN
      IF TG_OP = 'INSERT' THEN %s
      ELSIF TG_OP = 'DELETE' THEN %s
      ELSE %s
      END IF;
      RETURN NULL;
    END $function$ $code$, format(sums, added), format(sums, removed), format(sums, added || ' UNION ALL ' || removed));
END $$;
CREATE TRIGGER sum_inserted AFTER INSERT ON item_owners REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION sum_item_owners();
CREATE TRIGGER sum_deleted AFTER DELETE ON item_owners REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION sum_item_owners();
CREATE TRIGGER sum_updated AFTER UPDATE ON item_owners REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION sum_item_owners();

CREATE FUNCTION sum_collection_owners() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO collection_sums (organization_id, collection_id, kind, name, value, amount)
      SELECT organization_id, collection_id, 'owners', '', '', count(*) FROM after WHERE items > 0 GROUP BY 1, 2;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO collection_sums (organization_id, collection_id, kind, name, value, amount)
      SELECT organization_id, collection_id, 'owners', '', '', -count(*) FROM before WHERE items > 0 GROUP BY 1, 2;
  ELSE
    INSERT INTO collection_sums (organization_id, collection_id, kind, name, value, amount)
      SELECT organization_id, collection_id, 'owners', '', '', sum(change) FROM (
        SELECT organization_id, collection_id, 1 AS change FROM after WHERE items > 0
        UNION ALL SELECT organization_id, collection_id, -1 FROM before WHERE items > 0) rows
      GROUP BY 1, 2 HAVING sum(change) <> 0;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER sum_inserted AFTER INSERT ON collection_owners REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION sum_collection_owners();
CREATE TRIGGER sum_deleted AFTER DELETE ON collection_owners REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION sum_collection_owners();
CREATE TRIGGER sum_updated AFTER UPDATE ON collection_owners REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION sum_collection_owners();

-- What must be added so that the sums are those of the rows. `collection_owners` is put right first: its triggers change the sums.
CREATE VIEW collection_owners_missing WITH (security_invoker = true) AS
  SELECT organization_id, collection_id, address, sum(items)::bigint AS items FROM (
    SELECT i.organization_id, i.collection_id, o.address, count(*) AS items FROM item_owners o JOIN items i ON i.id = o.item_id WHERE o.quantity > 0 GROUP BY 1, 2, 3
    UNION ALL SELECT organization_id, collection_id, address, -items FROM collection_owners) counted
  GROUP BY 1, 2, 3 HAVING sum(items) <> 0;
CREATE VIEW collection_sums_missing WITH (security_invoker = true) AS
  SELECT organization_id, collection_id, kind, name, value, sum(amount)::bigint AS amount FROM (
    SELECT organization_id, collection_id, 'minted' AS kind, '' AS name, '' AS value, sum(minted) AS amount FROM items WHERE locked_at IS NOT NULL GROUP BY 1, 2
    UNION ALL
    SELECT organization_id, collection_id, 'owners', '', '', count(*) FROM collection_owners WHERE items > 0 GROUP BY 1, 2
    UNION ALL
    SELECT organization_id, collection_id, 'attributes', (locked_at IS NOT NULL)::text, attribute_names(attributes), count(*) FROM items GROUP BY 1, 2, 4, 5
    UNION ALL
    SELECT i.organization_id, i.collection_id, 'trait', t.name, t.value, count(*) FROM items i, traits_of(i.attributes) t WHERE i.locked_at IS NOT NULL GROUP BY 1, 2, 4, 5
    UNION ALL
    SELECT organization_id, collection_id, kind, name, value, -amount FROM collection_sums) counted
  GROUP BY 1, 2, 3, 4, 5 HAVING sum(amount) <> 0;
GRANT SELECT ON collection_sums_missing, collection_owners_missing TO vitrine_system;
