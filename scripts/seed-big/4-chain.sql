-- What was sent, and what the chain says: transactions, mint requests, vouchers, history, owners.

-- Every move of a token. Blocks have the order of their times, and one transaction each.
CREATE TEMP TABLE seed_moves AS
SELECT u.u, u.tx, u.n, u.organization_id, u.collection_id, u.item_id, u.token, u.role, 'MINT'::"HistoryType" AS type, u.quantity, NULL::int AS giver, u.holder AS taker, u.at FROM seed_units u
UNION ALL
SELECT u.u, 20000000000 + u.u, u.n, u.organization_id, u.collection_id, u.item_id, u.token, u.role, 'TRANSFER', 1, u.holder, 1 + (u.holder + 7) % (p.addresses - 1),
  least(u.at + interval '1 day' + interval '20 days' * (pg_temp.spread(u.u, 30, 1000) / 1000.0), p.ends - interval '1 hour')
FROM seed_units u, seed_plan p WHERE u.u < 100000000 AND pg_temp.spread(u.u, 31, 1000) < p.transfers
UNION ALL
SELECT u.u, 30000000000 + u.u, u.n, u.organization_id, u.collection_id, u.item_id, u.token, u.role, 'BURN', 1, u.holder, NULL, u.at + interval '2 days'
FROM seed_units u, seed_plan p WHERE u.u < 100000000 AND pg_temp.spread(u.u, 31, 1000) BETWEEN p.transfers AND p.transfers + 9;

CREATE TEMP TABLE seed_transactions AS
SELECT m.tx, min(m.at) AS at, 1000000 + row_number() OVER (ORDER BY min(m.at), m.tx) AS block, pg_temp.hash_of(m.tx, 'transaction') AS hash, count(*) AS moves,
  (array_agg(m.organization_id))[1] AS organization_id, (array_agg(m.collection_id))[1] AS collection_id, (array_agg(m.role))[1] AS role
FROM seed_moves m GROUP BY m.tx;
ANALYZE seed_moves, seed_transactions;

-- Ours: what mint requests are in, and a few of other types.
CREATE TEMP TABLE seed_sent AS
SELECT t.tx, pg_temp.seed_id(t.at - interval '10 minutes', '009', t.tx) AS id, t.organization_id, t.collection_id, 'ADMIN_MINT'::"TransactionType" AS type, t.moves AS mints, t.hash, t.block, t.at
FROM seed_transactions t WHERE t.tx < 20000000000 AND t.role IN ('CLAIM_REQUEST', 'PURCHASE_REQUEST', 'DIRECT')
UNION ALL
SELECT 40000000000 + c.c * 10 + k.k, pg_temp.seed_id(p.ends - interval '399 days', '009', 40000000000 + c.c * 10 + k.k), o.id, c.id, k.type, 0,
  pg_temp.hash_of(c.c * 10 + k.k, 'call'), c.c * 10 + k.k, p.ends - interval '399 days'
FROM seed_collections c JOIN seed_organizations o ON o.o = c.o, seed_plan p,
  (VALUES (0, 'DEPLOY_TOKEN_CONTRACT'::"TransactionType"), (1, 'SET_ROYALTY'), (2, 'UPDATE_METADATA')) AS k(k, type) WHERE c.kind NOT IN ('DRAFT', 'EXTERNAL');
ANALYZE seed_sent;

INSERT INTO transactions (id, organization_id, collection_id, network_id, tx_type, state, on_chain_status, payload, mint_count, operator, nonce, tx_hash, block_number, block_hash, gas_used,
  gas_cost_wei, closed_at, submitted_at, completed_at, final_at, created_at, updated_at)
SELECT s.id, s.organization_id, s.collection_id, 31337, s.type, 'COMPLETED', 'SUCCESS', '{}', s.mints, p.operator, row_number() OVER (ORDER BY s.at, s.tx) - 1, s.hash, s.block,
  pg_temp.hash_of(s.block, 'block'), 90000 + s.mints * 30000, 1000000000::numeric * (90000 + s.mints * 30000), s.at - interval '2 minutes', s.at - interval '1 minute', s.at, s.at + interval '5 minutes',
  s.at - interval '10 minutes', s.at + interval '5 minutes'
FROM seed_sent s, seed_plan p ORDER BY s.at;

INSERT INTO signed_transactions (id, organization_id, transaction_id, network_id, operator, nonce, hash, raw, gas_limit, max_fee_per_gas, max_priority_fee_per_gas, mint_request_ids, broadcast_at, created_at)
SELECT pg_temp.seed_id(t.submitted_at, '00a', t.nonce), t.organization_id, t.id, 31337, t.operator, t.nonce, t.tx_hash, '0x02' || repeat(substr(t.tx_hash, 3), 4), t.gas_used * 2, 1000000000, 1000000,
  coalesce(m.ids, '{}'), t.submitted_at, t.submitted_at
FROM seed_sent s JOIN transactions t ON t.id = s.id
LEFT JOIN (SELECT tx, array_agg(pg_temp.seed_id(at - interval '30 minutes', '00b', u)) AS ids FROM seed_units GROUP BY tx) m ON m.tx = s.tx;
INSERT INTO operator_lanes (network_id, operator, next_nonce, updated_at) SELECT 31337, p.operator, (SELECT count(*) FROM seed_sent), p.ends FROM seed_plan p;
UPDATE collections c SET deployment_transaction_id = s.id FROM seed_sent s WHERE s.collection_id = c.id AND s.type = 'DEPLOY_TOKEN_CONTRACT';

-- Mint requests and vouchers of a contract share one sequence of numbers.
CREATE TEMP TABLE seed_numbers AS
SELECT u.u, row_number() OVER (PARTITION BY u.collection_id ORDER BY u.at, u.u) AS number FROM seed_units u WHERE u.role <> 'FOREIGN';
ANALYZE seed_numbers, transactions;

INSERT INTO mint_requests (id, organization_id, collection_id, item_id, transaction_id, claim_id, purchase_intent_id, to_address, quantity, request_number, state, tx_hash, completed_at, created_at, updated_at)
SELECT pg_temp.seed_id(u.at - interval '30 minutes', '00b', u.u), u.organization_id, u.collection_id, u.item_id, s.id, k.id, b.id, a.address, 1, x.number, 'COMPLETED', s.hash, s.at,
  u.at - interval '30 minutes', s.at
FROM seed_units u JOIN seed_sent s ON s.tx = u.tx JOIN seed_numbers x ON x.u = u.u JOIN seed_addresses a ON a.n = u.holder
LEFT JOIN seed_claims k ON k.n = u.u AND u.role = 'CLAIM_REQUEST' LEFT JOIN seed_purchases b ON b.u = u.u AND u.role = 'PURCHASE_REQUEST'
ORDER BY u.at;

INSERT INTO vouchers (id, organization_id, collection_id, item_id, claim_id, purchase_intent_id, network_id, contract, minter, net_recipient, initial_recipient, initial_recipient_amount, quantity,
  nonce, expiry, price, token_id, currency, signature, state, tx_hash, created_at, updated_at)
SELECT pg_temp.seed_id(u.at - interval '30 minutes', '00c', u.u), u.organization_id, u.collection_id, u.item_id, k.id, b.id, 31337, c.contract_address, a.address, p.operator, p.operator, 0, 1,
  x.number, extract(epoch FROM u.at + interval '1 day')::bigint, CASE WHEN b.id IS NULL THEN 0 ELSE 10000000000000000 END, u.token::text, '0x0000000000000000000000000000000000000000',
  '0x' || repeat(md5(u.u::text), 4) || '1b', 'REDEEMED', t.hash, u.at - interval '30 minutes', t.at
FROM seed_units u JOIN seed_transactions t ON t.tx = u.tx JOIN seed_numbers x ON x.u = u.u JOIN seed_addresses a ON a.n = u.holder JOIN collections c ON c.id = u.collection_id
LEFT JOIN seed_claims k ON k.n = u.u LEFT JOIN seed_purchases b ON b.u = u.u, seed_plan p
WHERE u.role IN ('CLAIM_VOUCHER', 'PURCHASE_VOUCHER') ORDER BY u.at;
UPDATE collections c SET next_request_id = x.next FROM (
  SELECT u.collection_id, max(x.number) + 1 AS next FROM seed_units u JOIN seed_numbers x ON x.u = u.u GROUP BY 1) x WHERE x.collection_id = c.id;

INSERT INTO item_history (id, organization_id, collection_id, item_id, token_id, type, quantity, from_address, to_address, network_id, tx_hash, block_number, log_index, timestamp, hold_id, voucher_id)
SELECT pg_temp.move_id(t.block, m.log_index, 31337), m.organization_id, m.collection_id, m.item_id, m.token::text, m.type, m.quantity,
  coalesce(g.address, '0x0000000000000000000000000000000000000000'), coalesce(r.address, '0x0000000000000000000000000000000000000000'), 31337, t.hash, t.block, m.log_index, t.at,
  CASE WHEN m.type = 'MINT' AND m.role <> 'FOREIGN' THEN pg_temp.seed_id(t.at, '00d', m.u) END,
  CASE WHEN m.type = 'MINT' AND m.role IN ('CLAIM_VOUCHER', 'PURCHASE_VOUCHER') THEN pg_temp.seed_id(u.at - interval '30 minutes', '00c', m.u) END
FROM (SELECT m.*, (row_number() OVER (PARTITION BY m.tx ORDER BY m.u) - 1)::int AS log_index FROM seed_moves m) m JOIN seed_transactions t ON t.tx = m.tx
JOIN seed_units u ON u.u = m.u LEFT JOIN seed_addresses g ON g.n = m.giver LEFT JOIN seed_addresses r ON r.n = m.taker
ORDER BY t.block, m.log_index;

INSERT INTO item_owners (organization_id, item_id, address, quantity)
SELECT organization_id, item_id, address, sum(quantity) FROM (
  SELECT m.organization_id, m.item_id, a.address, m.quantity FROM seed_moves m JOIN seed_addresses a ON a.n = m.taker
  UNION ALL SELECT m.organization_id, m.item_id, a.address, -m.quantity FROM seed_moves m JOIN seed_addresses a ON a.n = m.giver) moved
GROUP BY organization_id, item_id, address HAVING sum(quantity) > 0;

INSERT INTO snapshots (id, organization_id, collection_id, name, block_number, ready_at, created_at, updated_at)
SELECT pg_temp.seed_id(p.ends - interval '1 day', '00e', c.c), o.id, c.id, 'Seeded', 1000000, p.ends - interval '1 day', p.ends - interval '1 day', p.ends
FROM seed_collections c JOIN seed_organizations o ON o.o = c.o, seed_plan p WHERE c.kind = 'BIG';
INSERT INTO snapshot_holders (organization_id, snapshot_id, address, quantity)
SELECT s.organization_id, s.id, o.address, sum(o.quantity) FROM snapshots s JOIN seed_items i ON i.collection_id = s.collection_id JOIN item_owners o ON o.item_id = i.id
WHERE s.name = 'Seeded' GROUP BY 1, 2, 3;
UPDATE snapshots s SET holder_count = (SELECT count(*) FROM snapshot_holders h WHERE h.snapshot_id = s.id) WHERE name = 'Seeded';
