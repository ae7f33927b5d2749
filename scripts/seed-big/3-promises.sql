-- Campaigns, claims, listings, purchases and payments.
INSERT INTO campaigns (id, organization_id, name, created_at, updated_at)
SELECT pg_temp.seed_id(p.ends - interval '400 days', '002', o.o * 10 + k), o.id, (ARRAY['Spring', 'Autumn', 'Newsletter'])[k], p.ends - interval '400 days', p.ends
FROM seed_organizations o, seed_plan p, generate_series(1, 3) k;

CREATE TEMP TABLE seed_claims AS
SELECT s.n AS n, s.organization_id, s.collection_id, s.o, s.id AS item_id, CASE WHEN s.minted THEN 'CLAIMED' ELSE s.role END AS state,
  pg_temp.seed_id(m.created, '003', s.n) AS id, m.created, u.at AS minted_at, a.address, s.role = 'CLAIM_VOUCHER' AS by_voucher,
  CASE WHEN pg_temp.spread(s.n, 20, 10) < 4 THEN 1 WHEN pg_temp.spread(s.n, 20, 10) < 6 THEN pg_temp.spread(s.n, 20, 10) - 2 END AS campaign,
  'person-' || pg_temp.spread(s.n, 21, greatest(p.addresses / 2, 10)) || '@example.com' AS email
FROM seed_plan p CROSS JOIN seed_items s LEFT JOIN seed_units u ON u.u = s.n LEFT JOIN seed_addresses a ON a.n = u.holder,
  LATERAL (SELECT coalesce(u.at - interval '1 hour', s.at + interval '2 hours' + interval '40 days' * (pg_temp.spread(s.n, 22, 1000) / 1000.0)) AS created) m
WHERE s.role IN ('CLAIM_VOUCHER', 'CLAIM_REQUEST', 'OPEN', 'LOCKED', 'EXPIRED', 'REVOKED');

INSERT INTO email_claims (id, organization_id, collection_id, item_id, campaign_id, email, quantity, tx_payer, state, expires_at, wrong_pins, link_wrong_pins, to_address,
  opened_at, last_pin_sent_at, redeemed_at, claimed_at, revoked_at, reminded_at, created_at, updated_at)
SELECT k.id, k.organization_id, k.collection_id, k.item_id,
  CASE WHEN k.campaign IS NOT NULL THEN pg_temp.seed_id(p.ends - interval '400 days', '002', k.o * 10 + k.campaign) END, k.email, 1,
  CASE WHEN k.by_voucher THEN 'BUYER'::"TxPayer" ELSE 'SELLER' END, k.state::"ClaimState",
  CASE WHEN k.state = 'EXPIRED' THEN k.created + interval '5 days' WHEN k.n % 3 = 0 THEN p.ends + interval '30 days' + interval '1 second' * (k.n % 8000000) END,
  CASE WHEN k.state = 'LOCKED' THEN 20 ELSE 0 END, CASE WHEN k.state = 'LOCKED' THEN 20 ELSE 0 END, k.address,
  CASE WHEN k.state IN ('CLAIMED', 'LOCKED') THEN k.created + interval '10 minutes' END, CASE WHEN k.state IN ('CLAIMED', 'LOCKED') THEN k.created + interval '20 minutes' END,
  CASE WHEN k.state = 'CLAIMED' THEN k.created + interval '30 minutes' END, k.minted_at, CASE WHEN k.state = 'REVOKED' THEN k.created + interval '1 day' END,
  CASE WHEN k.state = 'OPEN' AND k.n % 2 = 0 THEN k.created + interval '1 day' END, k.created, coalesce(k.minted_at, k.created)
FROM seed_claims k, seed_plan p ORDER BY k.created;

-- What is sold: the listings of a collection's pool, and one of each ERC-1155 item. q: how many units there are to hold.
CREATE TEMP TABLE seed_listings AS
SELECT c.c * 10 + w.way AS l, c.c, c.o, o.id AS organization_id, c.id AS collection_id, NULL::uuid AS item_id, w.way,
  pg_temp.seed_id(p.ends - interval '398 days', '004', c.c * 10 + w.way) AS id, f.free / 3 AS q
FROM seed_collections c JOIN seed_organizations o ON o.o = c.o JOIN (SELECT c, count(*) FILTER (WHERE role = 'FREE') AS free FROM seed_items GROUP BY c) f ON f.c = c.c,
  seed_plan p, generate_series(0, 4) AS w(way)
WHERE c.kind NOT IN ('EDITIONS', 'EXTERNAL', 'DRAFT')
UNION ALL
SELECT 100000000 + i.n, i.c, i.o, i.organization_id, i.collection_id, i.id, CASE WHEN i.token % 2 = 0 THEN 5 ELSE 1 END,
  pg_temp.seed_id(p.ends - interval '398 days', '004', 100000000 + i.n), 1000
FROM seed_items i, seed_plan p WHERE i.role = 'UNITS';
ANALYZE seed_listings;

-- Purchases of what was minted, and those that ended without anything.
CREATE TEMP TABLE seed_purchases AS
SELECT u.u, l.l, l.id AS listing_id, l.way, u.organization_id, u.o, u.collection_id, u.item_id, 'CONFIRMED' AS status, u.at - interval '1 hour' AS created, u.at AS minted_at,
  u.holder, u.role = 'PURCHASE_VOUCHER' AS by_voucher
FROM seed_units u JOIN seed_listings l ON l.l = CASE WHEN u.u >= 100000000 THEN 100000000 + u.n WHEN u.role = 'PURCHASE_VOUCHER' THEN u.c * 10 + 2 ELSE u.c * 10 + u.u % 2 END
WHERE u.role IN ('PURCHASE_VOUCHER', 'PURCHASE_REQUEST')
UNION ALL
SELECT s.n, l.l, l.id, l.way, s.organization_id, s.o, s.collection_id, s.id,
  CASE WHEN s.n % 8 < 5 THEN 'EXPIRED' WHEN s.n % 8 < 7 THEN 'CANCELLED' ELSE 'REFUNDED' END,
  s.at + interval '2 hours' + interval '44 days' * (pg_temp.spread(s.n, 23, 1000) / 1000.0), NULL, 1 + pg_temp.spread(s.n, 24, p.addresses - 1), false
FROM seed_plan p CROSS JOIN seed_items s JOIN seed_listings l ON l.l = s.c * 10 + CASE WHEN s.n % 8 = 7 THEN 1 ELSE s.n % 2 END
WHERE s.role = 'ENDED';
ALTER TABLE seed_purchases ADD id uuid;
UPDATE seed_purchases SET id = pg_temp.seed_id(created, '005', u);
ANALYZE seed_claims, seed_purchases, seed_listings;

INSERT INTO listings (id, organization_id, collection_id, item_id, mode, network_id, status, quantity_listed, quantity_confirmed, price, currency, currency_address, currency_decimals,
  payment_providers, max_quantity_per_tx, policy_type, max_per_user, starts_at, ends_at, completed_at, created_at, updated_at)
SELECT l.id, l.organization_id, l.collection_id, l.item_id, 'TEST', 31337, k.status::"ListingStatus",
  greatest(1, b.confirmed + CASE WHEN k.status = 'ACTIVE' THEN l.q WHEN l.way >= 3 THEN 100 ELSE 0 END), b.confirmed,
  CASE WHEN l.way IN (0, 3, 5) THEN 0 WHEN l.way = 2 THEN 10000000000000000 ELSE 1500 END, CASE WHEN l.way = 2 THEN 'ETH' ELSE 'EUR' END,
  CASE WHEN l.way = 2 THEN '0x0000000000000000000000000000000000000000' END, CASE WHEN l.way = 2 THEN 18 ELSE 2 END,
  ARRAY[CASE WHEN l.way IN (0, 3, 5) THEN 'BETA_FREE_MINT' WHEN l.way = 2 THEN 'MINT_VOUCHER' ELSE 'CARD_PROVIDER' END]::"PaymentProvider"[],
  5, CASE WHEN l.way = 2 THEN 'ALLOW_LIST'::"PolicyType" ELSE 'FCFS' END, NULL, p.ends - interval '397 days', CASE WHEN l.way = 3 THEN p.ends - interval '2 days' END,
  CASE WHEN k.status IN ('COMPLETE', 'CANCELLED', 'EXPIRED') THEN p.ends - interval '1 day' END, p.ends - interval '398 days', p.ends - interval '1 day'
FROM seed_plan p CROSS JOIN seed_listings l LEFT JOIN (SELECT l, count(*) FILTER (WHERE status = 'CONFIRMED') AS confirmed FROM seed_purchases GROUP BY l) s ON s.l = l.l,
  LATERAL (SELECT coalesce(s.confirmed, 0) AS confirmed) b,
  LATERAL (SELECT CASE WHEN l.way = 3 THEN 'EXPIRED' WHEN l.way = 4 THEN 'DRAFT' WHEN l.way = 0 AND b.confirmed > 0 THEN 'COMPLETE' WHEN l.way = 0 OR l.q = 0 THEN 'CANCELLED'
    ELSE 'ACTIVE' END AS status) k;

-- Most of the allowances are of one listing.
INSERT INTO listing_allowances (organization_id, listing_id, kind, identity, created_at)
SELECT l.organization_id, l.id, 'ADDRESS', a.address, p.ends - interval '398 days'
FROM seed_plan p JOIN LATERAL (SELECT l.*, row_number() OVER (ORDER BY l.l) AS place, count(*) OVER () AS listings FROM seed_listings l WHERE l.way = 2 AND l.o = 0) l ON true
JOIN seed_addresses a ON a.n < least(p.addresses, CASE WHEN l.place = 1 THEN p.allowances * 0.6 ELSE p.allowances * 0.4 / greatest(1, l.listings - 1) END)::int;

INSERT INTO purchase_intents (id, organization_id, listing_id, mode, provider, status, fulfillment_status, fulfillment_method, quantity, refunded_quantity, total, currency, buyer_email,
  buyer_address, buyer_mailbox, buyer_proved, secret_hash, client_address, client_network, units_state, expires_at, confirmed_at, completed_at, created_at, updated_at)
SELECT s.id, s.organization_id, s.listing_id, 'TEST', w.provider::"PaymentProvider", s.status::"IntentStatus", CASE WHEN s.status = 'CONFIRMED' THEN 'COMPLETED'::"FulfillmentStatus" ELSE 'PENDING' END,
  CASE WHEN w.provider = 'MINT_VOUCHER' THEN 'VOUCHER'::"FulfillmentMethod" ELSE 'TRANSFER' END, 1, CASE WHEN s.status = 'REFUNDED' THEN 1 ELSE 0 END,
  CASE w.provider WHEN 'CARD_PROVIDER' THEN 1500 WHEN 'MINT_VOUCHER' THEN 10000000000000000 ELSE 0 END, CASE w.provider WHEN 'MINT_VOUCHER' THEN 'ETH' ELSE 'EUR' END,
  CASE WHEN w.provider = 'CARD_PROVIDER' THEN w.email END, a.address, CASE WHEN w.provider = 'CARD_PROVIDER' THEN w.email END, w.provider = 'MINT_VOUCHER', sha256(s.u::text::bytea),
  w.client, w.client, CASE WHEN s.status = 'CONFIRMED' THEN 'CONFIRMED'::"IntentUnits" ELSE 'RETURNED' END, s.created + interval '15 minutes',
  CASE WHEN s.status IN ('CONFIRMED', 'REFUNDED') THEN s.created + interval '5 minutes' END, s.minted_at, s.created, coalesce(s.minted_at, s.created + interval '20 minutes')
FROM seed_purchases s JOIN seed_addresses a ON a.n = s.holder, LATERAL (SELECT
  CASE WHEN s.way IN (0, 5) THEN 'BETA_FREE_MINT' WHEN s.way = 2 THEN 'MINT_VOUCHER' ELSE 'CARD_PROVIDER' END AS provider, 'buyer-' || s.holder || '@example.com' AS email,
  '10.' || s.u % 250 || '.' || s.u / 250 % 250 || '.7' AS client) w
ORDER BY s.created;

INSERT INTO purchase_units (organization_id, intent_id, item_id, quantity) SELECT organization_id, id, item_id, 1 FROM seed_purchases;

INSERT INTO listing_buyers (organization_id, listing_id, kind, identity, quantity)
SELECT organization_id, listing_id, 'ADDRESS'::"IdentityKind", buyer_address, sum(quantity) FROM purchase_intents WHERE units_state = 'CONFIRMED' AND listing_id IN (SELECT id FROM seed_listings) GROUP BY 1, 2, 4
UNION ALL
SELECT organization_id, listing_id, 'EMAIL', buyer_mailbox, sum(quantity) FROM purchase_intents WHERE units_state = 'CONFIRMED' AND buyer_mailbox IS NOT NULL AND listing_id IN (SELECT id FROM seed_listings) GROUP BY 1, 2, 4;

INSERT INTO sandbox_accounts (id, state, created_at) SELECT 'acct_seed' || o.o, 'ENABLED', p.ends - interval '400 days' FROM seed_organizations o, seed_plan p;
INSERT INTO payment_integrations (id, organization_id, mode, adapter, account_id, status, charges_enabled, requirements, refreshed_at, listed_at, created_at, updated_at)
SELECT pg_temp.seed_id(p.ends - interval '400 days', '006', o.o), o.id, 'TEST', 'SANDBOX', 'acct_seed' || o.o, 'ACTIVE', true, '{}', p.ends, p.ends, p.ends - interval '400 days', p.ends
FROM seed_organizations o, seed_plan p;

INSERT INTO payments (id, organization_id, intent_id, integration_id, mode, adapter, account_id, provider_id, state, amount_minor, fee_minor, currency, refunded_minor, refund_id,
  checked_at, paid_at, refunded_at, created_at, updated_at)
SELECT pg_temp.seed_id(s.created, '007', s.u), s.organization_id, s.id, pg_temp.seed_id(p.ends - interval '400 days', '006', s.o), 'TEST', 'SANDBOX', 'acct_seed' || s.o, 'pi_seed' || s.u,
  CASE s.status WHEN 'CONFIRMED' THEN 'SUCCEEDED'::"PaymentState" WHEN 'REFUNDED' THEN 'REFUNDED' ELSE 'CANCELLED' END, 1500, 0, 'EUR', CASE WHEN s.status = 'REFUNDED' THEN 1500 ELSE 0 END,
  CASE WHEN s.status = 'REFUNDED' THEN pg_temp.seed_id(s.created, '008', s.u) END, p.ends - interval '1 hour', CASE WHEN s.status IN ('CONFIRMED', 'REFUNDED') THEN s.created + interval '5 minutes' END,
  CASE WHEN s.status = 'REFUNDED' THEN s.created + interval '1 day' END, s.created, s.created + interval '5 minutes'
FROM seed_purchases s, seed_plan p WHERE s.way = 1 ORDER BY s.created;

INSERT INTO sandbox_payment_intents (id, account_id, client_secret, request_key, amount, currency, status, amount_received, amount_refunded, metadata, card, created_at)
SELECT 'pi_seed' || s.u, 'acct_seed' || s.o, 'pi_seed' || s.u || '_secret_seed', 'seed-' || s.u, 1500, 'eur', CASE WHEN s.status IN ('CONFIRMED', 'REFUNDED') THEN 'succeeded' ELSE 'canceled' END,
  CASE WHEN s.status IN ('CONFIRMED', 'REFUNDED') THEN 1500 ELSE 0 END, CASE WHEN s.status = 'REFUNDED' THEN 1500 ELSE 0 END, '{}', 'pm_card_visa', s.created
FROM seed_purchases s WHERE s.way = 1;
INSERT INTO sandbox_refunds (id, payment_intent_id, request_key, amount, status, created_at)
SELECT 're_seed' || s.u, 'pi_seed' || s.u, 'seed-refund-' || s.u, 1500, 'succeeded', s.created + interval '1 day' FROM seed_purchases s WHERE s.way = 1 AND s.status = 'REFUNDED';
