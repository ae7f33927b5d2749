-- What the chain says always enters: any quantity a contract can name, any log, whatever the stock rule thinks of it.

-- Sums of uint256 amounts, with room for 10^22 of the largest.
ALTER TABLE item_history ALTER COLUMN quantity TYPE numeric(100, 0);
ALTER TABLE item_owners ALTER COLUMN quantity TYPE numeric(100, 0);

-- A collection that has caught up comes along with the network's own cursor.
ALTER TABLE collections ADD COLUMN following boolean NOT NULL DEFAULT false;

-- Ids of history rows are made from their place on the chain: their order is the chain's.
DROP INDEX item_history_item_id_block_number_log_index_idx;
CREATE INDEX item_history_item_id_id_idx ON item_history (item_id, id);
CREATE INDEX item_history_collection_id_idx ON item_history (collection_id);
-- Moves of tokens that had no item yet when they were seen.
CREATE INDEX item_history_strays ON item_history (collection_id, token_id) WHERE item_id IS NULL;
-- VoucherCancelled(uint256,uint256).
CREATE INDEX chain_logs_voucher_cancelled ON chain_logs (network_id, block_number)
  WHERE topics[1] = '0xdc6ab28b8e3feb0d722f6e25d8f5a1e1b294e437da077691357f5b916b2a7ce7';

-- How far the indexer has come is no secret: the health page shows it.
GRANT SELECT ON chain_cursors TO vitrine_public;

-- The stock rule guards promises. It steps aside for the system role while that writes down what the chain says
-- (vitrine.chain_facts, set for the transaction): a reorg gives units back to whom they were promised, even where the chain has minted too many.
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
      AND (more <= 0 OR is_fact OR (locked_at IS NOT NULL AND (max_supply IS NULL OR minted + held + more <= max_supply)));
  IF NOT FOUND THEN RAISE EXCEPTION 'sold_out' USING ERRCODE = 'VT001'; END IF;
  IF more > 0 AND NOT is_fact AND EXISTS (SELECT 1 FROM collections WHERE id = of_collection AND pool_held > pool_free) THEN
    RAISE EXCEPTION 'sold_out' USING ERRCODE = 'VT001';
  END IF;
  RETURN NULL;
END $$;
