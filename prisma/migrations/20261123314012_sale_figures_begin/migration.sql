-- What was there before its table had triggers: what purchases add, less what the triggers have added since. One statement sees one state of both,
-- so it may run while others sell. No worker has taken a change yet.
INSERT INTO sale_changes (organization_id, listing_id, mode, currency, day, purchases, units, gross, refunds, refunded)
SELECT organization_id, listing_id, mode, currency, day, sum(purchases), sum(units), sum(gross), sum(refunds), sum(refunded) FROM (
  SELECT organization_id, listing_id, mode, currency, day, purchases, units, gross, refunds, refunded FROM sale_outcomes
  UNION ALL
  SELECT organization_id, listing_id, mode, currency, day, -purchases, -units, -gross, -refunds, -refunded FROM sale_changes) counted
GROUP BY 1, 2, 3, 4, 5
HAVING sum(purchases) <> 0 OR sum(units) <> 0 OR sum(gross) <> 0 OR sum(refunds) <> 0 OR sum(refunded) <> 0;
