-- How many statements have changed items of a collection: a page of its items is the same while the number is. It is kept with the totals of
-- lists, as a table of its own there, and folded with them. Any change counts, so a column that is shown one day can't be forgotten.
CREATE FUNCTION count_item_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO row_counts (organization_id, table_name, parent_id, traits, amount)
      SELECT DISTINCT organization_id, 'item_changes', collection_id, '{}'::text[], 1 FROM after;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO row_counts (organization_id, table_name, parent_id, traits, amount)
      SELECT DISTINCT organization_id, 'item_changes', collection_id, '{}'::text[], 1 FROM before;
  ELSE
    INSERT INTO row_counts (organization_id, table_name, parent_id, traits, amount)
      SELECT organization_id, 'item_changes', collection_id, '{}'::text[], 1
      FROM (SELECT organization_id, collection_id FROM before UNION SELECT organization_id, collection_id FROM after) changed;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER change_inserted AFTER INSERT ON items REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_item_changes();
CREATE TRIGGER change_updated AFTER UPDATE ON items REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_item_changes();
CREATE TRIGGER change_deleted AFTER DELETE ON items REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION count_item_changes();
-- Kept pages must not outlive what a replica or a restore writes either.
ALTER TABLE items ENABLE ALWAYS TRIGGER change_inserted;
ALTER TABLE items ENABLE ALWAYS TRIGGER change_updated;
ALTER TABLE items ENABLE ALWAYS TRIGGER change_deleted;

-- The subquery is looked up for a row: with IN all collections were read for each statement.
ALTER POLICY published ON row_counts USING (
  (table_name = 'item_changes' OR (table_name = 'items' AND traits[1] = 'true'))
  AND EXISTS (SELECT 1 FROM collections c WHERE c.id = row_counts.parent_id OFFSET 0));

-- Changes aren't rows that could be missing.
-- safe: only this release's verify reads the view.
ALTER VIEW row_counts_missing RENAME TO row_counts_apart;
CREATE VIEW row_counts_missing WITH (security_invoker = true) AS SELECT * FROM row_counts_apart WHERE table_name <> 'item_changes';
GRANT SELECT ON row_counts_missing TO vitrine_system;
