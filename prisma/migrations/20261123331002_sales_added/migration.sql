-- New purchases enter the figures once a statement, added up: a batch of one listing is one change.

-- What a purchase with these values adds, times `factor`; no row for one that doesn't count.
CREATE FUNCTION sale_of(p purchase_intents, factor integer) RETURNS TABLE (organization_id uuid, listing_id uuid, mode "Mode", currency text, day date,
  purchases bigint, units numeric, gross numeric, refunds bigint, refunded numeric) LANGUAGE sql STABLE AS $$
  SELECT p.organization_id, p.listing_id, p.mode, p.currency, (p.confirmed_at AT TIME ZONE 'UTC')::date,
    (factor * (p.status <> 'REFUNDED')::int)::bigint,
    (CASE WHEN p.status = 'REFUNDED' THEN 0 ELSE factor * (p.quantity - p.refunded_quantity) END)::numeric,
    factor * p.total,
    (factor * (p.status = 'REFUNDED')::int)::bigint,
    factor * CASE WHEN p.status = 'REFUNDED' THEN p.total ELSE div(p.total * p.refunded_quantity, p.quantity) END
  WHERE p.confirmed_at IS NOT NULL AND p.status IN ('CONFIRMED', 'UNRESOLVED', 'REFUNDED')
$$;
CREATE OR REPLACE FUNCTION add_sale(p purchase_intents, factor integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO sale_changes (organization_id, listing_id, mode, currency, day, purchases, units, gross, refunds, refunded) SELECT * FROM sale_of(p, factor);
END $$;

CREATE FUNCTION sales_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO sale_changes (organization_id, listing_id, mode, currency, day, purchases, units, gross, refunds, refunded)
  SELECT s.organization_id, s.listing_id, s.mode, s.currency, s.day, sum(s.purchases), sum(s.units), sum(s.gross), sum(s.refunds), sum(s.refunded)
  FROM added, sale_of(added.*::purchase_intents, 1) AS s GROUP BY 1, 2, 3, 4, 5;
  RETURN NULL;
END $$;
DROP TRIGGER sale_added ON purchase_intents;
CREATE TRIGGER sales_added AFTER INSERT ON purchase_intents
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION sales_added();
