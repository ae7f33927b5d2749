-- A batch of purchases changes many holds in one statement: the stock rule is kept once a statement, by what the statement changes in all. What
-- moves from one hold of an item to another in one statement needs no free unit.

-- Adds to what is held of items, and of collections' pools where the item is null, and keeps the stock rule: for every item
-- minted - kept + held <= max_supply, and a pool's holds never exceed its free units. One entry an item or pool.
CREATE FUNCTION move_held_units(of_collections uuid[], of_items uuid[], more_held bigint[], more_minting bigint[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  is_fact boolean := pg_has_role(current_user, 'vitrine_system', 'USAGE') AND current_setting('vitrine.chain_facts', true) = 'on';
  pools bigint := (SELECT count(*) FROM unnest(of_items) AS item WHERE item IS NULL);
  moved bigint := 0;
  -- Collections of whose pool something was taken.
  taken_from uuid[] := '{}';
BEGIN
  -- Items come before collections in the order of locks.
  IF cardinality(of_items) > pools THEN
    IF cardinality(of_items) > 1 THEN
      PERFORM 1 FROM items WHERE id = ANY(of_items) ORDER BY id FOR NO KEY UPDATE;
    END IF;
    WITH changed AS (
      UPDATE items i SET held = i.held + change.held, minting = i.minting + change.minting
      FROM unnest(of_items, more_held, more_minting) AS change (item_id, held, minting)
      WHERE i.id = change.item_id AND (change.held <= 0 OR is_fact
        OR (i.locked_at IS NOT NULL AND (i.max_supply IS NULL OR i.minted - kept_units(i) + i.held + change.held <= i.max_supply)))
      RETURNING i.collection_id, change.held, i.kept_by
    )
    SELECT count(*), coalesce(array_agg(DISTINCT collection_id) FILTER (WHERE held > 0 AND kept_by IS NULL AND NOT is_fact), '{}')
      INTO moved, taken_from FROM changed;
    IF moved <> cardinality(of_items) - pools THEN RAISE EXCEPTION 'sold_out' USING ERRCODE = 'VT001'; END IF;
  END IF;
  IF pools > 0 THEN
    UPDATE collections c SET pool_held = c.pool_held + change.held
    FROM unnest(of_collections, of_items, more_held) AS change (collection_id, item_id, held)
    WHERE change.item_id IS NULL AND c.id = change.collection_id AND (change.held <= 0 OR c.pool_held + change.held <= c.pool_free);
    GET DIAGNOSTICS moved = ROW_COUNT;
    IF moved <> pools THEN RAISE EXCEPTION 'sold_out' USING ERRCODE = 'VT001'; END IF;
  END IF;
  IF taken_from <> '{}' AND EXISTS (SELECT 1 FROM collections WHERE id = ANY(taken_from) AND pool_held > pool_free) THEN
    RAISE EXCEPTION 'sold_out' USING ERRCODE = 'VT001';
  END IF;
END $$;

-- What a hold counts for while it is HELD.
CREATE FUNCTION held_units(h holds) RETURNS bigint LANGUAGE sql IMMUTABLE
  AS $$ SELECT CASE WHEN h.state = 'HELD' THEN h.quantity ELSE 0 END $$;
CREATE FUNCTION minting_units(h holds) RETURNS bigint LANGUAGE sql IMMUTABLE
  AS $$ SELECT CASE WHEN h.state = 'HELD' AND h.holder_type = 'MINT_REQUEST' THEN h.quantity ELSE 0 END $$;

-- The transition tables have other names in each, and none is joined: a plan that was made for one row stays right for any number.
CREATE FUNCTION holds_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM move_held_units(array_agg(collection_id), array_agg(item_id), array_agg(held), array_agg(minting))
  FROM (
    SELECT collection_id, item_id, sum(held_units(added.*::holds))::bigint AS held, sum(minting_units(added.*::holds))::bigint AS minting
    FROM added GROUP BY collection_id, item_id
  ) AS change HAVING count(*) > 0;
  RETURN NULL;
END $$;
CREATE FUNCTION holds_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM move_held_units(array_agg(collection_id), array_agg(item_id), array_agg(held), array_agg(minting))
  FROM (
    SELECT collection_id, item_id, -sum(held_units(removed.*::holds))::bigint AS held, -sum(minting_units(removed.*::holds))::bigint AS minting
    FROM removed GROUP BY collection_id, item_id
  ) AS change HAVING count(*) > 0;
  RETURN NULL;
END $$;
CREATE FUNCTION holds_changed() RETURNS trigger LANGUAGE plpgsql AS $$
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
  ) AS change HAVING count(*) > 0;
  RETURN NULL;
END $$;
CREATE FUNCTION refuse_other_item() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'A hold never changes its item.';
END $$;

DROP TRIGGER hold_changed ON holds;
DROP FUNCTION hold_changed();
CREATE TRIGGER holds_added AFTER INSERT ON holds
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION holds_added();
CREATE TRIGGER holds_removed AFTER DELETE ON holds
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION holds_removed();
CREATE TRIGGER holds_changed AFTER UPDATE ON holds
  REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION holds_changed();
CREATE TRIGGER refuse_other_item BEFORE UPDATE ON holds FOR EACH ROW
  WHEN (OLD.item_id IS DISTINCT FROM NEW.item_id OR OLD.collection_id <> NEW.collection_id) EXECUTE FUNCTION refuse_other_item();

-- The same for the pool: a join of both transition tables, planned for one row, would take minutes for fifty thousand.
CREATE OR REPLACE FUNCTION items_stock_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
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
