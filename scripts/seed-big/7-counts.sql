-- What triggers would have counted: totals of lists, sums of collections, and the claims and sales that the worker adds to its sums.
INSERT INTO row_counts (organization_id, table_name, parent_id, traits, amount, folded)
SELECT organization_id, table_name, parent_id, traits, amount, true FROM row_counts_missing;
INSERT INTO collection_owners AS o (organization_id, collection_id, address, items)
SELECT organization_id, collection_id, address, items FROM collection_owners_missing
ON CONFLICT (collection_id, address) DO UPDATE SET items = o.items + excluded.items;
INSERT INTO collection_sums (organization_id, collection_id, kind, name, value, amount)
SELECT organization_id, collection_id, kind, name, value, amount FROM collection_sums_missing;
INSERT INTO claim_changes (organization_id, claim_id) SELECT organization_id, id FROM email_claims;
INSERT INTO sale_changes (organization_id, listing_id, mode, currency, day, purchases, units, gross, refunds, refunded)
SELECT organization_id, listing_id, mode, currency, day, sum(purchases), sum(units), sum(gross), sum(refunds), sum(refunded)
FROM sale_outcomes GROUP BY 1, 2, 3, 4, 5;
