-- Listings are counted by their stored status, so that the total of what a shop shows needs no look at each listing. A row changes its status
-- seldom, and its units with each sale, so that a trigger for each row with a condition costs a sale nothing.
CREATE OR REPLACE FUNCTION count_listings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO row_counts (organization_id, table_name, parent_id, traits, amount)
      SELECT organization_id, 'listings', collection_id, ARRAY[status::text], count(*) FROM after GROUP BY 1, 3, 4;
  ELSE
    INSERT INTO row_counts (organization_id, table_name, parent_id, traits, amount)
      SELECT organization_id, 'listings', collection_id, ARRAY[status::text], -count(*) FROM before GROUP BY 1, 3, 4;
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION count_listing_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO row_counts (organization_id, table_name, parent_id, traits, amount)
    VALUES (OLD.organization_id, 'listings', OLD.collection_id, ARRAY[OLD.status::text], -1),
      (NEW.organization_id, 'listings', NEW.collection_id, ARRAY[NEW.status::text], 1);
  RETURN NULL;
END $$;
-- Takes the lock that writers wait for until the numbers below are entered.
CREATE TRIGGER count_status AFTER UPDATE ON listings FOR EACH ROW
  WHEN ((OLD.status, OLD.collection_id) IS DISTINCT FROM (NEW.status, NEW.collection_id)) EXECUTE FUNCTION count_listing_status();

CREATE OR REPLACE VIEW row_counts_missing WITH (security_invoker = true) AS
  SELECT * FROM row_counts_apart WHERE table_name NOT IN ('item_changes', 'listings')
  UNION ALL
  SELECT organization_id, 'listings', parent_id, traits, sum(amount)::bigint FROM (
    SELECT organization_id, collection_id AS parent_id, ARRAY[status::text] AS traits, count(*) AS amount FROM listings GROUP BY 1, 2, 3
    UNION ALL SELECT organization_id, parent_id, traits, -amount FROM row_counts WHERE table_name = 'listings') counted
  GROUP BY 1, 3, 4 HAVING sum(amount) <> 0;

-- The numbers of before had no status.
INSERT INTO row_counts (organization_id, table_name, parent_id, traits, amount)
  SELECT organization_id, table_name, parent_id, traits, amount FROM row_counts_missing WHERE table_name = 'listings';

-- Listings but drafts, as the policy of listings has it.
ALTER POLICY published ON row_counts USING (
  (table_name = 'item_changes' OR (table_name = 'items' AND traits[1] = 'true') OR (table_name = 'listings' AND traits[1] <> 'DRAFT'))
  AND EXISTS (SELECT 1 FROM collections c WHERE c.id = row_counts.parent_id OFFSET 0));
