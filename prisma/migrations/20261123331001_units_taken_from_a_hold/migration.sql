-- Holds that take their units from a listing's hold, named in vitrine.taken_from, are one movement: the units leave that hold in the statement that
-- inserts the others, and an item whose units only change hands is updated once. The setting holds for one statement.
CREATE OR REPLACE FUNCTION holds_added() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  source uuid := nullif(current_setting('vitrine.taken_from', true), '')::uuid;
  taken record;
BEGIN
  IF source IS NULL THEN
    PERFORM move_held_units(array_agg(collection_id), array_agg(item_id), array_agg(held), array_agg(minting))
    FROM (
      SELECT collection_id, item_id, sum(held_units(added.*::holds))::bigint AS held, sum(minting_units(added.*::holds))::bigint AS minting
      FROM added GROUP BY collection_id, item_id
    ) AS change HAVING count(*) > 0;
    RETURN NULL;
  END IF;
  PERFORM set_config('vitrine.taken_from', '', true);
  UPDATE holds h SET quantity = h.quantity - a.units, updated_at = a.at
  FROM (SELECT sum(held_units(added.*::holds))::bigint AS units, max(created_at) AS at FROM added) AS a
  WHERE h.id = source AND h.holder_type = 'LISTING' AND h.state = 'HELD'
  RETURNING h.collection_id, h.item_id, a.units INTO taken;
  IF NOT FOUND THEN RAISE EXCEPTION 'Units are taken from a hold that is not a listing''s, or has ended.'; END IF;
  PERFORM move_held_units(array_agg(collection_id), array_agg(item_id), array_agg(held), array_agg(minting))
  FROM (
    SELECT collection_id, item_id, sum(held)::bigint AS held, sum(minting)::bigint AS minting
    FROM (
      SELECT collection_id, item_id, held_units(added.*::holds) AS held, minting_units(added.*::holds) AS minting FROM added
      UNION ALL
      SELECT taken.collection_id, taken.item_id, -taken.units, 0
    ) AS units
    GROUP BY collection_id, item_id
    HAVING sum(held) <> 0 OR sum(minting) <> 0
  ) AS change HAVING count(*) > 0;
  RETURN NULL;
END $$;

-- What holds_added takes is counted there. A change that moves no units changes no item.
CREATE OR REPLACE FUNCTION holds_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM move_held_units(array_agg(collection_id), array_agg(item_id), array_agg(held), array_agg(minting))
  FROM (
    SELECT collection_id, item_id, sum(held)::bigint AS held, sum(minting)::bigint AS minting
    FROM (
      SELECT collection_id, item_id, held_units(after.*::holds) AS held, minting_units(after.*::holds) AS minting FROM after
      UNION ALL
      SELECT collection_id, item_id, -held_units(before.*::holds), -minting_units(before.*::holds) FROM before
    ) AS units
    GROUP BY collection_id, item_id
    HAVING sum(held) <> 0 OR sum(minting) <> 0
  ) AS change HAVING count(*) > 0;
  RETURN NULL;
END $$;
DROP TRIGGER holds_changed ON holds;
CREATE TRIGGER holds_changed AFTER UPDATE ON holds
  REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION holds_changed();
