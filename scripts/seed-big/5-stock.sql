-- Holds, items, and the counters that triggers keep up for everyone else.
INSERT INTO holds (id, organization_id, collection_id, item_id, holder_type, holder_id, quantity, state, created_at, updated_at)
SELECT pg_temp.seed_id(t.at, '00d', u.u), u.organization_id, u.collection_id, u.item_id,
  CASE u.role WHEN 'CLAIM_VOUCHER' THEN 'CLAIM'::"HolderType" WHEN 'PURCHASE_VOUCHER' THEN 'PURCHASE' ELSE 'MINT_REQUEST' END,
  CASE u.role WHEN 'CLAIM_VOUCHER' THEN k.id WHEN 'PURCHASE_VOUCHER' THEN b.id ELSE pg_temp.seed_id(u.at - interval '30 minutes', '00b', u.u) END, u.quantity, 'CONSUMED', t.at, t.at
FROM seed_units u JOIN seed_transactions t ON t.tx = u.tx LEFT JOIN seed_claims k ON k.n = u.u LEFT JOIN seed_purchases b ON b.u = u.u WHERE u.role <> 'FOREIGN'
UNION ALL
SELECT pg_temp.seed_id(k.created, '00f', k.n), k.organization_id, k.collection_id, k.item_id, 'CLAIM', k.id, 1, CASE WHEN k.state IN ('OPEN', 'LOCKED') THEN 'HELD'::"HoldState" ELSE 'RELEASED' END,
  k.created, k.created
FROM seed_claims k WHERE k.state <> 'CLAIMED'
UNION ALL
SELECT pg_temp.seed_id(s.created, '010', s.u), s.organization_id, s.collection_id, s.item_id, 'PURCHASE', s.id, 1, 'RELEASED', s.created, s.created + interval '20 minutes'
FROM seed_purchases s WHERE s.status <> 'CONFIRMED'
UNION ALL
SELECT pg_temp.seed_id(l.created_at, '011', s.l), l.organization_id, l.collection_id, l.item_id, 'LISTING', l.id, CASE WHEN l.status = 'ACTIVE' THEN s.q ELSE 0 END,
  CASE WHEN l.status = 'ACTIVE' THEN 'HELD'::"HoldState" ELSE 'RELEASED' END, l.created_at, l.updated_at
FROM seed_listings s JOIN listings l ON l.id = s.id WHERE l.status NOT IN ('DRAFT');

INSERT INTO items (id, organization_id, collection_id, attributes, token_id, locked_at, max_supply, held, minted, burned, created_at, updated_at)
SELECT s.id, s.organization_id, s.collection_id,
  jsonb_build_object(
    'title', (ARRAY['Moonflower', 'Primrose', 'Cereus', 'Jasmine', 'Phlox', 'Nicotiana'])[1 + s.n % 6] || ' ' || s.token,
    'description', 'Opens at nine in the evening, and is gone by breakfast. Number ' || s.token || '.',
    'colour', (ARRAY['white', 'white', 'white', 'white', 'white', 'ivory', 'yellow', 'violet', 'violet', 'magenta'])[1 + pg_temp.spread(s.n, 4, 10)],
    'rarity', CASE WHEN pg_temp.spread(s.n, 5, 20000) = 0 THEN 'unique' WHEN pg_temp.spread(s.n, 5, 100) = 1 THEN 'rare' ELSE 'common' END,
    'petals', 3 + pg_temp.spread(s.n, 6, 30),
    'scent', (ARRAY['clove', 'vanilla', 'lemon', 'jasmine', 'orange', 'honey'])[1 + pg_temp.spread(s.n, 7, 6)]),
  CASE WHEN s.role <> 'DRAFT' THEN s.token::text END, CASE WHEN s.role <> 'DRAFT' THEN s.at + interval '1 hour' END,
  CASE WHEN s.role IN ('DRAFT', 'FOREIGN') THEN NULL WHEN s.kind = 'EDITIONS' THEN 1000000 ELSE 1 END,
  coalesce(h.held, 0), coalesce(m.minted, 0), coalesce(m.burned, 0), s.at, s.at + interval '1 hour'
FROM seed_items s
LEFT JOIN (SELECT item_id, sum(quantity) AS held FROM holds WHERE state = 'HELD' AND item_id IS NOT NULL GROUP BY item_id) h ON h.item_id = s.id
LEFT JOIN (SELECT item_id, sum(quantity) FILTER (WHERE type = 'MINT') AS minted, sum(quantity) FILTER (WHERE type = 'BURN') AS burned FROM seed_moves GROUP BY item_id) m ON m.item_id = s.id
ORDER BY s.n;

UPDATE collections c SET pool_free = i.free, pool_held = coalesce(h.held, 0)
FROM (SELECT collection_id, sum(free_units(items)) AS free FROM items GROUP BY collection_id) i
LEFT JOIN (SELECT collection_id, sum(quantity) AS held FROM holds WHERE item_id IS NULL AND state = 'HELD' GROUP BY collection_id) h ON h.collection_id = i.collection_id
WHERE i.collection_id = c.id AND c.id IN (SELECT id FROM seed_collections);
