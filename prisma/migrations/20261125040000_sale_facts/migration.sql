-- What decides whether a listing can be bought, besides its own row: whether it can be paid, whether its units are held, whether promises of its
-- collection wait after a backup was put back, who has its token and whose keys are needed, and what an organization with a budget has used of it.
-- `has_budget`: every organization has a gas budget; otherwise only those that wait for approval. One who may see the listing may learn it.
CREATE FUNCTION sale_facts(of_listing uuid, has_budget boolean) RETURNS jsonb
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    SELECT jsonb_build_object(
      'payment', CASE
        WHEN 'MINT_VOUCHER' = ANY (l.payment_providers) AND (l.price > 0 OR l.status = 'PAUSED') AND o.payout_address IS NULL
          THEN 'PAYOUT_ADDRESS_MISSING'
        WHEN l.payment_providers = ARRAY['CARD_PROVIDER']::public."PaymentProvider"[] AND NOT EXISTS (
          SELECT 1 FROM public.payment_integrations p
          WHERE p.organization_id = l.organization_id AND p.mode = l.mode AND p.status = 'ACTIVE' AND p.account_id IS NOT NULL)
          THEN 'PROVIDER_NOT_CONFIGURED' END,
      'isHeld', l.status NOT IN ('ACTIVE', 'SCHEDULED') OR EXISTS (
        SELECT 1 FROM public.holds h WHERE h.holder_type = 'LISTING' AND h.holder_id = l.id AND h.state = 'HELD' AND h.quantity > 0),
      'promisesFrom', (extract(epoch FROM c.promises_from) * 1000)::bigint,
      'custodian', (SELECT i.kept_by FROM public.items i WHERE i.id = l.item_id),
      'signer', c.signer,
      'minter', c.minter,
      'newcomerSince', o.newcomer_since,
      'gas', CASE WHEN l.payment_providers && ARRAY['ORGANIZATION', 'BETA_FREE_MINT']::public."PaymentProvider"[]
          AND (has_budget OR o.newcomer_since IS NOT NULL) THEN jsonb_build_object(
        'spent', (SELECT coalesce(sum(t.gas_cost_wei), 0)::text FROM public.transactions t
          WHERE t.organization_id = l.organization_id AND t.network_id = l.network_id AND t.created_at > clock.a_day_ago),
        'fee', (SELECT s.max_fee_per_gas::text FROM public.signed_transactions s
          WHERE s.organization_id = l.organization_id AND s.network_id = l.network_id ORDER BY s.id DESC LIMIT 1)) END,
      'mails', CASE WHEN 'EMAIL_CLAIM' = ANY (l.payment_providers) AND o.newcomer_since IS NOT NULL THEN (
        SELECT count(*) FROM public.outbox_messages m
        WHERE m.organization_id = l.organization_id AND m.template_type IN ('REDEEM_NFT', 'MEMBER_INVITE', 'TEST')
          AND m.created_at > clock.a_day_ago) END)
    FROM public.listings l
      JOIN public.collections c ON c.id = l.collection_id
      JOIN public.organizations o ON o.id = l.organization_id
      CROSS JOIN LATERAL (SELECT now() - interval '1 day'
        + coalesce((SELECT ahead_ms FROM public.sandbox_clock), 0) * interval '1 millisecond' AS a_day_ago) clock
    WHERE l.id = of_listing AND l.status <> 'DRAFT'
  $$;
REVOKE ALL ON FUNCTION sale_facts(uuid, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sale_facts(uuid, boolean) TO vitrine_app, vitrine_system, vitrine_public;

DROP FUNCTION payment_obstacle(uuid);
