-- outside a transaction
-- Rows from before, five hundred in each transaction, so that nobody waits long for one. A run that was killed is continued by the next.
DO $$
DECLARE
  last uuid := '00000000-0000-0000-0000-000000000000';
  batch uuid[];
BEGIN
  LOOP
    batch := ARRAY(SELECT id FROM items WHERE id > last ORDER BY id LIMIT 500);
    EXIT WHEN batch = '{}';
    PERFORM 1 FROM items WHERE id = ANY(batch) AND token_status IS NULL ORDER BY id FOR NO KEY UPDATE;
    UPDATE items SET is_free = is_free_item(locked_at, minted, held), token_status = token_status(minted, minting, burned)
      WHERE id = ANY(batch) AND token_status IS NULL;
    last := batch[cardinality(batch)];
    COMMIT;
  END LOOP;
END $$;
