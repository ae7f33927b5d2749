-- Organizations, collections, and which items there are.
INSERT INTO organizations (id, name, payout_address, created_at, updated_at)
SELECT o.id, o.name, a.address, p.ends - interval '420 days', p.ends FROM seed_organizations o JOIN seed_addresses a ON a.n = 0, seed_plan p;

INSERT INTO users (id, name, email, email_verified, created_at)
SELECT o.user_id, o.name, 'owner-' || o.o || '@seed.example.com', p.ends - interval '420 days', p.ends - interval '420 days' FROM seed_organizations o, seed_plan p;

INSERT INTO members (id, organization_id, user_id, role, joined_at, created_at)
SELECT o.member_id, o.id, o.user_id, 'OWNER', p.ends - interval '420 days', p.ends - interval '420 days' FROM seed_organizations o, seed_plan p;

INSERT INTO collections (id, organization_id, name, description, is_public, mode, network_id, deployment_type, deployment_status, deployed_at, token_type, symbol,
  owner, contract_address, minter, signer, following, reveal_strategy, preview_metadata, reveal_commitment, reveal_provenance, revealed_at, reveal_proof, created_at, updated_at)
SELECT c.id, o.id, CASE WHEN c.o = 0 THEN 'Collection ' || c.c ELSE 'First collection' END, 'Seeded: ' || lower(c.kind) || '.', c.kind <> 'PRIVATE', 'TEST', 31337,
  CASE c.kind WHEN 'DRAFT' THEN NULL WHEN 'EXTERNAL' THEN 'EXTERNAL'::"DeploymentType" ELSE 'PLATFORM' END,
  CASE WHEN c.kind <> 'DRAFT' THEN 'SUCCESS'::"DeploymentStatus" END, CASE WHEN c.kind <> 'DRAFT' THEN p.ends - interval '399 days' END,
  CASE c.kind WHEN 'DRAFT' THEN NULL WHEN 'EDITIONS' THEN 'ERC1155'::"TokenType" ELSE 'ERC721' END, CASE WHEN c.kind <> 'DRAFT' THEN 'SEED' END,
  CASE WHEN c.kind NOT IN ('DRAFT', 'EXTERNAL') THEN p.operator END, CASE WHEN c.kind <> 'DRAFT' THEN a.address END,
  CASE WHEN c.kind NOT IN ('DRAFT', 'EXTERNAL') THEN p.operator END, CASE WHEN c.kind NOT IN ('DRAFT', 'EXTERNAL') THEN p.operator END,
  c.kind <> 'DRAFT', CASE WHEN c.kind IN ('REVEALED', 'HIDDEN') THEN 'DELAYED'::"RevealStrategy" ELSE 'INSTANT' END,
  CASE WHEN c.kind IN ('REVEALED', 'HIDDEN') THEN '{"title": "A surprise"}'::jsonb END,
  CASE WHEN c.kind IN ('REVEALED', 'HIDDEN') THEN encode(sha256('commitment'), 'hex') END, CASE WHEN c.kind IN ('REVEALED', 'HIDDEN') THEN encode(sha256('provenance'), 'hex') END,
  CASE WHEN c.kind = 'REVEALED' THEN p.ends - interval '20 days' END,
  CASE WHEN c.kind = 'REVEALED' THEN (SELECT jsonb_build_object('algorithm', 'vitrine-reveal-1', 'seed', encode(sha256('seed'), 'hex'),
    'contents', jsonb_agg(encode(sha256(k::text::bytea), 'hex')),
    'tokens', jsonb_agg(jsonb_build_object('token_id', k::text, 'content_hash', encode(sha256(k::text::bytea), 'hex')))) FROM generate_series(1, c.size) k) END,
  p.ends - interval '400 days', p.ends - interval '399 days'
FROM seed_collections c JOIN seed_organizations o ON o.o = c.o JOIN seed_addresses a ON a.n = c.c, seed_plan p;

INSERT INTO reveal_proofs (collection_id, organization_id, proof)
SELECT id, organization_id, reveal_proof - 'seed' FROM collections WHERE reveal_proof IS NOT NULL AND id IN (SELECT id FROM seed_collections);
UPDATE collections SET revealed_seed = reveal_proof->>'seed', reveal_proof = NULL
WHERE reveal_proof IS NOT NULL AND id IN (SELECT id FROM seed_collections);

-- What each item is for. UNITS: an ERC-1155 item; CLAIM_…, PURCHASE_…, DIRECT, FOREIGN: how its one unit was minted; OPEN … REVOKED: the state of a
-- claim that took none; ENDED: a purchase that took none; FREE: locked, and nothing more; DRAFT: not locked.
CREATE TEMP TABLE seed_items AS
SELECT c.first + k AS n, c.c, c.o, o.id AS organization_id, c.id AS collection_id, c.kind, k AS token, m.at,
  pg_temp.seed_id(m.at, '001', c.first + k) AS id, r.role,
  r.role IN ('CLAIM_VOUCHER', 'CLAIM_REQUEST', 'PURCHASE_VOUCHER', 'PURCHASE_REQUEST', 'DIRECT', 'FOREIGN') AS minted
FROM seed_collections c JOIN seed_organizations o ON o.o = c.o, seed_plan p,
  generate_series(1, c.size) k,
  LATERAL (SELECT p.ends - interval '399 days' + interval '350 days' * ((k + c.c % 7) / (c.size + 7)::float8) AS at) m,
  LATERAL (SELECT pg_temp.spread(c.first + k, 1, 1000) AS part, pg_temp.spread(c.first + k, 2, 403) AS way, pg_temp.spread(c.first + k, 3, 351) AS use) h,
  LATERAL (SELECT CASE
    WHEN c.kind = 'EDITIONS' THEN 'UNITS'
    WHEN c.kind = 'EXTERNAL' THEN 'FOREIGN'
    WHEN c.kind = 'DRAFT' OR (c.kind <> 'REVEALED' AND k > c.size * 0.94) THEN 'DRAFT'
    WHEN h.part < 535 THEN CASE WHEN h.way < 97 THEN 'CLAIM_VOUCHER' WHEN h.way < 195 THEN 'CLAIM_REQUEST' WHEN h.way < 207 THEN 'PURCHASE_VOUCHER'
      WHEN h.way < 255 THEN 'PURCHASE_REQUEST' ELSE 'DIRECT' END
    ELSE CASE WHEN h.use < 45 THEN 'OPEN' WHEN h.use < 54 THEN 'LOCKED' WHEN h.use < 90 THEN 'EXPIRED' WHEN h.use < 105 THEN 'REVOKED'
      WHEN h.use < 185 THEN 'ENDED' ELSE 'FREE' END END AS role) r;

CREATE UNIQUE INDEX ON seed_items (n);

UPDATE collections c SET next_token_id = 1 + s.locked FROM (SELECT collection_id, count(*) FROM seed_items WHERE role <> 'DRAFT' GROUP BY 1) AS s(id, locked) WHERE s.id = c.id;

-- Everything minted, a row a unit, with what promised it: the claim, purchase, voucher or mint request of unit u has the number u.
CREATE TEMP TABLE seed_units AS
SELECT s.n::bigint AS u, s.n, s.c, s.o, s.organization_id, s.collection_id, s.id AS item_id, s.token, s.role, 1::bigint AS quantity,
  s.at + interval '2 hours' + interval '45 days' * (pg_temp.spread(s.n, 8, 10000) / 10000.0) AS at,
  1 + pg_temp.spread(s.n, 9, p.addresses - 1) AS holder,
  CASE WHEN s.role = 'DIRECT' AND pg_temp.spread(s.n, 10, 5) = 0 THEN 10000000000 + s.c * 1000000::bigint + s.token / 400 ELSE s.n END AS tx
FROM seed_items s, seed_plan p WHERE s.minted
UNION ALL
SELECT 100000000 + e.x, i.n, i.c, i.o, i.organization_id, i.collection_id, i.id, i.token,
  CASE WHEN pg_temp.spread(e.x, 11, 206) < 60 THEN 'PURCHASE_REQUEST' ELSE 'DIRECT' END, 1,
  p.ends - interval '390 days' + interval '389 days' * (e.x / p.edition_units::float8),
  CASE WHEN e.x % 2 = 0 THEN 1 + e.x % (p.addresses - 1) ELSE 1 + pg_temp.spread(e.x, 12, p.addresses - 1) END, 100000000 + e.x
FROM seed_plan p CROSS JOIN generate_series(1, p.edition_units) AS e(x)
JOIN seed_collections c ON c.kind = 'EDITIONS' JOIN seed_items i ON i.n = c.first + 1 + CASE WHEN e.x % 2 = 0 THEN 0 ELSE 1 + pg_temp.spread(e.x, 13, c.size - 1) END;
-- Mints of one transaction are mined at once.
UPDATE seed_units u SET at = t.at FROM (SELECT tx, max(at) AS at FROM seed_units WHERE tx >= 10000000000 GROUP BY tx) t WHERE t.tx = u.tx;
-- A transaction takes 100 mints at most.
UPDATE seed_units u SET tx = u.u FROM (SELECT u, row_number() OVER (PARTITION BY tx ORDER BY u) AS place FROM seed_units WHERE tx >= 10000000000) t WHERE t.u = u.u AND t.place > 100;
ANALYZE seed_items, seed_units;
