-- What was there before its table had triggers. One statement sees one state of rows and sums, so each may run while others write, and again.
INSERT INTO collection_owners AS o (organization_id, collection_id, address, items)
SELECT organization_id, collection_id, address, items FROM collection_owners_missing ORDER BY collection_id, address
ON CONFLICT (collection_id, address) DO UPDATE SET items = o.items + excluded.items;

INSERT INTO collection_sums (organization_id, collection_id, kind, name, value, amount)
SELECT organization_id, collection_id, kind, name, value, amount FROM collection_sums_missing;
