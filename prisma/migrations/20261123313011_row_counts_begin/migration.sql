-- What was there before its table had triggers. One statement sees one state of rows and numbers, so it may run while others write, and again.
INSERT INTO row_counts (organization_id, table_name, parent_id, traits, amount, folded)
SELECT organization_id, table_name, parent_id, traits, amount, true FROM row_counts_missing;
