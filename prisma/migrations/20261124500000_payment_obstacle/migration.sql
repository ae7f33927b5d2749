-- Why a listing can't be paid now: one that is paid by voucher needs the organization's payout address, unless it is free and on sale already, and
-- one that is paid by card alone an active account of its mode. Anybody may learn it of a listing, and nothing else of either.
CREATE FUNCTION payment_obstacle(of_listing uuid) RETURNS text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    SELECT CASE
      WHEN 'MINT_VOUCHER' = ANY (l.payment_providers) AND (l.price > 0 OR l.status = 'PAUSED')
        AND (SELECT o.payout_address FROM public.organizations o WHERE o.id = l.organization_id) IS NULL THEN 'PAYOUT_ADDRESS_MISSING'
      WHEN l.payment_providers = ARRAY['CARD_PROVIDER']::public."PaymentProvider"[] AND NOT EXISTS (
        SELECT 1 FROM public.payment_integrations p
        WHERE p.organization_id = l.organization_id AND p.mode = l.mode AND p.status = 'ACTIVE' AND p.account_id IS NOT NULL)
        THEN 'PROVIDER_NOT_CONFIGURED'
    END
    FROM public.listings l WHERE l.id = of_listing AND l.status <> 'DRAFT'
  $$;
REVOKE ALL ON FUNCTION payment_obstacle(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment_obstacle(uuid) TO vitrine_app, vitrine_system, vitrine_public;
