-- outside a transaction
-- Rows from before, five hundred in each transaction. A run that was killed is continued by the next.
DO $$
DECLARE
  last uuid := '00000000-0000-0000-0000-000000000000';
  batch uuid[];
BEGIN
  LOOP
    batch := ARRAY(SELECT id FROM mint_requests WHERE id > last AND is_live AND NOT is_live_mint(state) ORDER BY id LIMIT 500);
    EXIT WHEN batch = '{}';
    UPDATE mint_requests SET is_live = is_live_mint(state) WHERE id = ANY(batch);
    last := batch[cardinality(batch)];
    COMMIT;
  END LOOP;
END $$;
