-- Which set an item is in, kept in columns of its own. PostgreSQL writes all indexes of a row anew when a column changes that any of them names,
-- also in a predicate, and `held`, `minting` and `minted` change with every sale. These change only when the answer does:
--   is_free       it is locked, nothing of it is minted and nothing is held
--   token_status  as `token_status` says
-- A trigger keeps them, whichever statement writes the row. Null: a row from before, until the next migration.
ALTER TABLE items ADD COLUMN is_free boolean, ADD COLUMN token_status text;
-- Of a new item, which the trigger needn't change then.
ALTER TABLE items ALTER COLUMN is_free SET DEFAULT false, ALTER COLUMN token_status SET DEFAULT 'NOT_MINTED';
-- safe: this rewrites nothing. It holds for pages that are written from now on.
ALTER TABLE items SET (fillfactor = 85);

CREATE FUNCTION is_free_item(locked_at timestamptz, minted bigint, held bigint) RETURNS boolean LANGUAGE sql IMMUTABLE
  AS $$ SELECT locked_at IS NOT NULL AND minted = 0 AND held = 0 $$;

CREATE FUNCTION set_item_state() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.is_free := is_free_item(NEW.locked_at, NEW.minted, NEW.held);
  NEW.token_status := token_status(NEW.minted, NEW.minting, NEW.burned);
  RETURN NEW;
END $$;
CREATE TRIGGER set_item_state BEFORE INSERT OR UPDATE ON items FOR EACH ROW
  WHEN (NEW.is_free IS DISTINCT FROM is_free_item(NEW.locked_at, NEW.minted, NEW.held)
    OR NEW.token_status IS DISTINCT FROM token_status(NEW.minted, NEW.minting, NEW.burned))
  EXECUTE FUNCTION set_item_state();
-- For whoever fills tables without their triggers too: these columns depend on nothing but their row.
ALTER TABLE items ENABLE ALWAYS TRIGGER set_item_state;

-- What is summed and counted of items changes seldom when they do. Neither table is joined: a plan that was made for one row stays right for any number.
DO $$
DECLARE
  added record;
BEGIN
  FOR added IN SELECT * FROM (VALUES
    ('count_items', $body$
        IF NOT EXISTS (
          SELECT collection_id, locked_at IS NOT NULL, token_status FROM after
          EXCEPT ALL SELECT collection_id, locked_at IS NOT NULL, token_status FROM before) THEN
          RETURN NULL;
        END IF;$body$),
    ('sum_items', $body$
        IF NOT EXISTS (
          SELECT collection_id, locked_at IS NOT NULL, minted, attributes::text FROM after
          EXCEPT ALL SELECT collection_id, locked_at IS NOT NULL, minted, attributes::text FROM before) THEN
          RETURN NULL;
        END IF;
        IF NOT EXISTS (
          SELECT collection_id, locked_at IS NOT NULL, attributes::text FROM after
          EXCEPT ALL SELECT collection_id, locked_at IS NOT NULL, attributes::text FROM before) THEN
          INSERT INTO collection_sums (organization_id, collection_id, kind, name, value, amount)
            SELECT organization_id, collection_id, 'minted', '', '', sum(units) FROM (
              SELECT organization_id, collection_id, minted AS units FROM after WHERE locked_at IS NOT NULL
              UNION ALL SELECT organization_id, collection_id, -minted FROM before WHERE locked_at IS NOT NULL) changed
            GROUP BY 1, 2 HAVING sum(units) <> 0;
          RETURN NULL;
        END IF;$body$)) AS functions (name, first) LOOP
    EXECUTE regexp_replace(pg_get_functiondef(added.name::regproc), '\mBEGIN\M', format(E'BEGIN\n      IF TG_OP = ''UPDATE'' THEN%s\n      END IF;', added.first));
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION items_stock_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT collection_id, free_units(after.*::items) FROM after
    EXCEPT ALL SELECT collection_id, free_units(before.*::items) FROM before) THEN
    RETURN NULL;
  END IF;
  UPDATE collections c SET pool_free = c.pool_free + changed.more
  FROM (
    SELECT collection_id, sum(units)::bigint AS more
    FROM (
      SELECT collection_id, free_units(after.*::items) AS units FROM after
      UNION ALL
      SELECT collection_id, -free_units(before.*::items) FROM before
    ) AS units
    GROUP BY collection_id
    HAVING sum(units) <> 0
  ) AS changed
  WHERE c.id = changed.collection_id;
  RETURN NULL;
END $$;
