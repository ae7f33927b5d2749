-- Mails, events with their deliveries, and the audit log.
INSERT INTO outbox_messages (id, organization_id, template_type, claim_id, campaign_id, to_email, message_id, state, attempts, last_error, sent_at, delivered_at, created_at)
SELECT pg_temp.seed_id(m.at, '012', k.n * 4::bigint + t.t), k.organization_id, t.type, k.id,
  CASE WHEN k.campaign IS NOT NULL THEN pg_temp.seed_id(p.ends - interval '400 days', '002', k.o * 10 + k.campaign) END, k.email,
  '<' || pg_temp.seed_id(m.at, '012', k.n * 4::bigint + t.t) || '@seed.example.com>', CASE WHEN k.n % 97 = 0 THEN 'FAILED'::"OutboxState" ELSE 'SENT' END, 1,
  CASE WHEN k.n % 97 = 0 THEN 'No such mailbox.' END, CASE WHEN k.n % 97 <> 0 THEN m.at + interval '5 seconds' END, CASE WHEN k.n % 97 <> 0 THEN m.at + interval '9 seconds' END, m.at
FROM seed_plan p CROSS JOIN seed_claims k, (VALUES (0, 'REDEEM_NFT'), (1, 'CLAIM_PINCODE'), (2, 'CLAIMED_NFT')) AS t(t, type), LATERAL (SELECT k.created + t.t * interval '15 minutes' AS at) m
WHERE (t.t = 0 OR k.state = 'CLAIMED') AND pg_temp.spread(k.n, 40 + t.t, 690) < 300 ORDER BY m.at LIMIT (SELECT mails FROM seed_plan);

INSERT INTO webhooks (id, organization_id, name, url, event_types, status, secret, created_at, updated_at)
SELECT pg_temp.seed_id(p.ends - interval '400 days', '013', 1), o.id, 'Shop', 'https://hooks.example.com/vitrine', '{}', 'DISABLED', decode(repeat('00', 29), 'hex'), p.ends - interval '400 days', p.ends
FROM seed_organizations o, seed_plan p WHERE o.o = 0;

CREATE TEMP TABLE seed_events AS
SELECT e.x, pg_temp.seed_id(m.at, '014', e.x) AS id, i.organization_id, m.at, y.type, 'seed-' || e.x AS key,
  jsonb_build_object('item_id', i.id, 'collection_id', i.collection_id, 'token_id', i.token::text, 'quantity', '1', 'network_id', 31337, 'tx_hash', pg_temp.hash_of(e.x, 'event')) AS data
FROM seed_plan p CROSS JOIN (SELECT max(n) AS items FROM seed_items WHERE o = 0) b CROSS JOIN generate_series(1, p.events) AS e(x)
JOIN seed_items i ON i.n = 1 + pg_temp.spread(e.x, 50, b.items),
  LATERAL (SELECT p.ends - interval '29 days' + interval '29 days' * ((e.x - 1) / p.events::float8) AS at) m,
  LATERAL (SELECT CASE WHEN e.x % 1000 = 7 THEN 'purchase.refunded' WHEN e.x % 10 < 4 THEN 'item.minted' WHEN e.x % 10 < 6 THEN 'item.transferred' WHEN e.x % 10 = 6 THEN 'claim.created'
    WHEN e.x % 10 = 7 THEN 'claim.delivered' WHEN e.x % 10 = 8 THEN 'purchase.confirmed' ELSE 'purchase.fulfilled' END AS type) y;

INSERT INTO events (id, organization_id, type, key, data, created_at) SELECT id, organization_id, type, key, data, at FROM seed_events ORDER BY x;
INSERT INTO webhook_deliveries (id, organization_id, webhook_id, event_id, event_type, message_id, payload, state, attempts, delivered_at, created_at)
SELECT pg_temp.seed_id(e.at, '015', e.x), e.organization_id, pg_temp.seed_id(p.ends - interval '400 days', '013', 1), e.id, e.type, e.id,
  jsonb_build_object('type', e.type, 'id', e.id, 'organization_id', e.organization_id, 'timestamp', e.at, 'data', e.data),
  CASE WHEN e.x % 211 = 0 THEN 'FAILED'::"DeliveryState" ELSE 'DELIVERED' END, 1, CASE WHEN e.x % 211 <> 0 THEN e.at + interval '1 second' END, e.at
FROM seed_events e, seed_plan p ORDER BY e.x;
INSERT INTO webhook_attempts (id, organization_id, delivery_id, status, error, answer, milliseconds, created_at)
SELECT pg_temp.seed_id(e.at, '016', e.x), e.organization_id, pg_temp.seed_id(e.at, '015', e.x), CASE WHEN e.x % 211 = 0 THEN 410 ELSE 200 END, NULL, 'ok', 80 + e.x % 90, e.at + interval '1 second'
FROM seed_events e ORDER BY e.x;

INSERT INTO audit_entries (id, organization_id, actor_type, actor_id, action, subject_type, subject_id, before, after, request_id, client_address, created_at)
SELECT pg_temp.seed_id(m.at, '017', e.x), i.organization_id, CASE WHEN e.x % 10 = 0 THEN 'member' ELSE 'system' END, CASE WHEN e.x % 10 = 0 THEN o.member_id::text END, y.action, y.subject, i.id::text,
  NULL, jsonb_build_object('state', 'COMPLETED', 'number', e.x), 'seed-' || e.x / 3, CASE WHEN e.x % 10 = 0 THEN '192.0.2.' || e.x % 250 END, m.at
FROM seed_plan p CROSS JOIN (SELECT max(n) AS items FROM seed_items WHERE o = 0) b CROSS JOIN generate_series(1, p.audit_entries) AS e(x)
JOIN seed_items i ON i.n = 1 + pg_temp.spread(e.x, 51, b.items) JOIN seed_organizations o ON o.o = i.o,
  LATERAL (SELECT p.ends - interval '380 days' + interval '380 days' * ((e.x - 1) / p.audit_entries::float8) AS at) m,
  LATERAL (SELECT (ARRAY['item.updated', 'items.locked', 'mint_request.created', 'mint_request.advanced'])[1 + e.x % 4] AS action, CASE WHEN e.x % 4 < 2 THEN 'item' ELSE 'mint_request' END AS subject) y
ORDER BY e.x;
