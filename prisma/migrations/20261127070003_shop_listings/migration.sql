-- A page of what a shop shows of an organization's listings, and what decides whether they can be bought: each table is read once, and what listings have in
-- common is read once for all of them. Past row-level security, whose policies look for the collection of each row again; the predicates are the policies'.
-- The facts have one text for both functions: `x` is what is read in another way for one listing.
DO $migration$
DECLARE
  facts text := $facts$jsonb_build_object(
      'payment', CASE
        WHEN 'MINT_VOUCHER' = ANY (l.payment_providers) AND (l.price > 0 OR l.status = 'PAUSED') AND o.payout_address IS NULL
          THEN 'PAYOUT_ADDRESS_MISSING'
        WHEN l.payment_providers = ARRAY['CARD_PROVIDER']::public."PaymentProvider"[] AND NOT EXISTS (
          SELECT 1 FROM public.payment_integrations p
          WHERE p.organization_id = l.organization_id AND p.mode = l.mode AND p.status = 'ACTIVE' AND p.account_id IS NOT NULL)
          THEN 'PROVIDER_NOT_CONFIGURED' END,
      'isHeld', l.status NOT IN ('ACTIVE', 'SCHEDULED') OR %1$s,
      'promisesFrom', (extract(epoch FROM c.promises_from) * 1000)::bigint,
      'custodian', %2$s,
      'signer', c.signer,
      'minter', c.minter,
      'newcomerSince', o.newcomer_since,
      'gas', CASE WHEN l.payment_providers && ARRAY['ORGANIZATION', 'BETA_FREE_MINT']::public."PaymentProvider"[]
          AND (has_budget OR o.newcomer_since IS NOT NULL) THEN %3$s END,
      'mails', CASE WHEN 'EMAIL_CLAIM' = ANY (l.payment_providers) AND o.newcomer_since IS NOT NULL THEN %4$s END)$facts$;
  gas text := $gas$jsonb_build_object(
        'spent', (SELECT coalesce(sum(t.gas_cost_wei), 0)::text FROM public.transactions t
          WHERE t.organization_id = l.organization_id AND t.network_id = l.network_id AND t.created_at > clock.a_day_ago),
        'fee', (SELECT s.max_fee_per_gas::text FROM public.signed_transactions s
          WHERE s.organization_id = l.organization_id AND s.network_id = l.network_id ORDER BY s.id DESC LIMIT 1))$gas$;
  mails text := $mails$(
        SELECT count(*) FROM public.outbox_messages m
        WHERE m.organization_id = l.organization_id AND m.template_type IN ('REDEEM_NFT', 'MEMBER_INVITE', 'TEST')
          AND m.created_at > clock.a_day_ago)$mails$;
  clock text := $clock$(SELECT now() - interval '1 day'
        + coalesce((SELECT ahead_ms FROM public.sandbox_clock), 0) * interval '1 millisecond' AS a_day_ago) clock$clock$;
BEGIN
  EXECUTE format($f$
    CREATE OR REPLACE FUNCTION sale_facts(of_listing uuid, has_budget boolean) RETURNS jsonb
      LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
      AS $$
        SELECT %s
        FROM public.listings l
          JOIN public.collections c ON c.id = l.collection_id
          JOIN public.organizations o ON o.id = l.organization_id
          CROSS JOIN LATERAL %s
        WHERE l.id = of_listing AND l.status <> 'DRAFT'
      $$
  $f$, format(facts, $x$EXISTS (
        SELECT 1 FROM public.holds h WHERE h.holder_type = 'LISTING' AND h.holder_id = l.id AND h.state = 'HELD' AND h.quantity > 0)$x$,
      '(SELECT i.kept_by FROM public.items i WHERE i.id = l.item_id)', gas, mails), clock);
  EXECUTE format($f$
    CREATE FUNCTION shop_listings(of_organization uuid, of_item uuid, of_collection uuid, of_campaign uuid, beyond uuid, is_ascending boolean, most integer,
        has_budget boolean)
      RETURNS TABLE (l public.listings, c public.collections, i public.items, suspended boolean, facts jsonb)
      LANGUAGE sql STABLE SECURITY DEFINER ROWS 100
      SET search_path = pg_catalog, public SET plan_cache_mode = force_custom_plan SET enable_seqscan = off SET jit = off
      AS $$
        WITH shown AS MATERIALIZED (
          SELECT id FROM public.collections
          WHERE organization_id = of_organization AND deployment_status = 'SUCCESS' AND is_public AND (of_collection IS NULL OR id = of_collection)),
        asked AS MATERIALIZED (
          (SELECT * FROM public.listings
            WHERE is_ascending AND organization_id = of_organization AND status <> 'DRAFT' AND (beyond IS NULL OR id > beyond)
              AND (of_item IS NULL OR item_id = of_item) AND (of_collection IS NULL OR collection_id = of_collection)
              AND (of_campaign IS NULL OR campaign_id = of_campaign) AND (collection_id IN (SELECT s.id FROM shown s)) IS TRUE
            ORDER BY id LIMIT most)
          UNION ALL
          (SELECT * FROM public.listings
            WHERE NOT is_ascending AND organization_id = of_organization AND status <> 'DRAFT' AND (beyond IS NULL OR id < beyond)
              AND (of_item IS NULL OR item_id = of_item) AND (of_collection IS NULL OR collection_id = of_collection)
              AND (of_campaign IS NULL OR campaign_id = of_campaign) AND (collection_id IN (SELECT s.id FROM shown s)) IS TRUE
            ORDER BY id DESC LIMIT most)),
        deployed AS MATERIALIZED (
          SELECT * FROM public.collections WHERE id = ANY (ARRAY(SELECT DISTINCT collection_id FROM asked))),
        sellers AS MATERIALIZED (
          SELECT * FROM public.organizations WHERE id = ANY (ARRAY(SELECT DISTINCT organization_id FROM asked))),
        offered AS MATERIALIZED (
          SELECT * FROM public.items WHERE id = ANY (ARRAY(SELECT item_id FROM asked)) AND locked_at IS NOT NULL),
        held AS MATERIALIZED (
          SELECT DISTINCT holder_id FROM public.holds
          WHERE holder_type = 'LISTING' AND holder_id = ANY (ARRAY(SELECT id FROM asked)) AND state = 'HELD' AND quantity > 0),
        budgets AS MATERIALIZED (
          SELECT l.organization_id, l.network_id, %s AS gas
          FROM (SELECT DISTINCT organization_id, network_id FROM asked
            WHERE payment_providers && ARRAY['ORGANIZATION', 'BETA_FREE_MINT']::public."PaymentProvider"[]) l
            JOIN sellers o ON o.id = l.organization_id CROSS JOIN LATERAL %s
          WHERE has_budget OR o.newcomer_since IS NOT NULL),
        quotas AS MATERIALIZED (
          SELECT l.organization_id, %s AS mails
          FROM (SELECT DISTINCT organization_id FROM asked WHERE 'EMAIL_CLAIM' = ANY (payment_providers)) l
            JOIN sellers o ON o.id = l.organization_id CROSS JOIN LATERAL %s
          WHERE o.newcomer_since IS NOT NULL),
        stopped AS MATERIALIZED (
          SELECT organization_id, collection_id FROM public.suspensions
          WHERE ended_at IS NULL AND organization_id = ANY (ARRAY(SELECT DISTINCT organization_id FROM asked)))
        SELECT ROW(l.*)::public.listings, ROW(c.*)::public.collections, ROW(i.*)::public.items, EXISTS (
            SELECT 1 FROM stopped s WHERE s.organization_id = l.organization_id AND (s.collection_id IS NULL OR s.collection_id = l.collection_id)), %s
        FROM asked l JOIN deployed c ON c.id = l.collection_id JOIN sellers o ON o.id = l.organization_id
          LEFT JOIN offered i ON i.id = l.item_id LEFT JOIN held ON held.holder_id = l.id
          LEFT JOIN budgets b ON b.organization_id = l.organization_id AND b.network_id = l.network_id
          LEFT JOIN quotas q ON q.organization_id = l.organization_id
        ORDER BY CASE WHEN is_ascending THEN l.id END, l.id DESC
      $$
  $f$, gas, clock, mails, clock, format(facts, 'held.holder_id IS NOT NULL', 'i.kept_by', 'b.gas', 'q.mails'));
END $migration$;
REVOKE ALL ON FUNCTION shop_listings(uuid, uuid, uuid, uuid, uuid, boolean, integer, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION shop_listings(uuid, uuid, uuid, uuid, uuid, boolean, integer, boolean) TO vitrine_public;
