-- A token that one of our operators has in hand can be given again: by a transfer, since it can't be minted twice. Which operator that is
-- follows from the chain's logs and from operator_lanes, the addresses that are ours for good on a network. Only of our own ERC-721
-- contracts whose tokens can move; null everywhere else.
ALTER TABLE items ADD COLUMN kept_by text;

-- Minted units that are in our operators' hands.
CREATE FUNCTION kept_units(i items) RETURNS bigint LANGUAGE sql IMMUTABLE
  AS $$ SELECT CASE WHEN i.kept_by IS NULL THEN 0 ELSE 1 END $$;

-- What can still be promised of an item by its name: units that are neither minted nor held, and kept ones that nobody holds. A pool counts
-- the former only (free_units): a listing of a whole collection never gives out a token that is there already.
CREATE FUNCTION givable_units(i items) RETURNS bigint LANGUAGE sql IMMUTABLE
  AS $$ SELECT CASE WHEN i.locked_at IS NULL OR i.max_supply IS NULL THEN 0 ELSE greatest(0, i.max_supply - i.minted + kept_units(i) - i.held) END $$;

-- The stock rule: for every item minted - kept + held <= max_supply. A hold on a kept token takes nothing from the pool.
CREATE OR REPLACE FUNCTION hold_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was bigint := CASE WHEN TG_OP <> 'INSERT' AND OLD.state = 'HELD' THEN OLD.quantity ELSE 0 END;
  becomes bigint := CASE WHEN TG_OP <> 'DELETE' AND NEW.state = 'HELD' THEN NEW.quantity ELSE 0 END;
  was_minting bigint := CASE WHEN was > 0 AND OLD.holder_type = 'MINT_REQUEST' THEN was ELSE 0 END;
  becomes_minting bigint := CASE WHEN becomes > 0 AND NEW.holder_type = 'MINT_REQUEST' THEN becomes ELSE 0 END;
  more bigint := becomes - was;
  of_item uuid := CASE WHEN TG_OP = 'DELETE' THEN OLD.item_id ELSE NEW.item_id END;
  of_collection uuid := CASE WHEN TG_OP = 'DELETE' THEN OLD.collection_id ELSE NEW.collection_id END;
  is_fact boolean := current_user = 'vitrine_system' AND current_setting('vitrine.chain_facts', true) = 'on';
  keeper text;
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.item_id IS DISTINCT FROM NEW.item_id OR OLD.collection_id <> NEW.collection_id) THEN
    RAISE EXCEPTION 'A hold never changes its item.';
  END IF;
  IF of_item IS NULL THEN
    UPDATE collections SET pool_held = pool_held + more WHERE id = of_collection AND (more <= 0 OR pool_held + more <= pool_free);
    IF NOT FOUND THEN RAISE EXCEPTION 'sold_out' USING ERRCODE = 'VT001'; END IF;
    RETURN NULL;
  END IF;
  UPDATE items SET held = held + more, minting = minting + becomes_minting - was_minting
    WHERE id = of_item
      AND (more <= 0 OR is_fact OR (locked_at IS NOT NULL AND (max_supply IS NULL OR minted - kept_units(items) + held + more <= max_supply)))
    RETURNING kept_by INTO keeper;
  IF NOT FOUND THEN RAISE EXCEPTION 'sold_out' USING ERRCODE = 'VT001'; END IF;
  IF more > 0 AND NOT is_fact AND keeper IS NULL AND EXISTS (SELECT 1 FROM collections WHERE id = of_collection AND pool_held > pool_free) THEN
    RAISE EXCEPTION 'sold_out' USING ERRCODE = 'VT001';
  END IF;
  RETURN NULL;
END $$;
