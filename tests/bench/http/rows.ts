/** With this the bare server judges PINs as Vitrine does with its own key. */
export const BARE_KEY = 'bare'

const ITEM_COLUMNS = `i.id, i.collection_id, i.token_id, c.token_type, c.network_id, c.contract_address, i.attributes, i.image_source, i.image_cid,
  i.image_file, i.attributes->>'title' AS title, i.attributes->>'description' AS description`

/** What is stored of a purchase, whichever way it is paid. */
const soldAs = (provider: string, state: 'CONFIRMED' | 'PENDING') => `buyers AS (
      SELECT * FROM unnest($1::uuid[], $2::text[], $7::text[], $8::bytea[], $9::bytea[])
        WITH ORDINALITY AS b(id, address, key, hash, answer, at)
    ), sold AS (
      INSERT INTO purchase_intents (id, organization_id, listing_id, mode, provider, status, fulfillment_status, fulfillment_method, quantity, total,
        currency, buyer_address, secret_hash, server_key_id, client_address, client_network, request_key, units_state, expires_at, confirmed_at,
        updated_at)
      SELECT id, $4::uuid, $3::uuid, 'TEST', '${provider}', '${state}', '${state === 'CONFIRMED' ? 'ASSIGNED' : 'PENDING'}', '${state === 'CONFIRMED' ? 'TRANSFER' : 'VOUCHER'}', 1, 0, 'ETH', address,
        sha256(id::text::bytea), 'bare', '127.0.0.1', '127.0.0.1', key, '${state === 'CONFIRMED' ? 'CONFIRMED' : 'OPEN'}', now() + interval '1 hour',
        ${state === 'CONFIRMED' ? 'now()' : 'NULL'}, now() FROM buyers RETURNING id
    ), units AS (
      INSERT INTO purchase_units (organization_id, intent_id, item_id, quantity) SELECT $4::uuid, id, $6::uuid, 1 FROM buyers
    ), answered AS (
      INSERT INTO idempotency_records (scope, key, body_hash, lease_id, lease_ends, status, answer, created_at)
      SELECT 'bare', key, hash, id, now(), 201, answer, now() FROM buyers
    )`

const FACTS = `jsonb_build_object('id', id, 'address', address, 'listing_id', $3::uuid, 'quantity', '1', 'price', '0', 'currency', 'ETH', 'mode', 'TEST',
  'status', 'CONFIRMED', 'fulfillment_status', 'ASSIGNED')`

const audited = (steps: readonly string[]) => `audited AS (
      INSERT INTO audit_entries (id, organization_id, actor_type, action, subject_type, subject_id, after, request_id, client_address, created_at)
      SELECT gen_random_uuid(), $4::uuid, 'anonymous', 'purchase_intent.' || step, 'purchase_intent', id, ${FACTS}, 'bare', '127.0.0.1', now()
      FROM buyers, unnest(ARRAY[${steps.map((step) => `'${step}'`).join(', ')}]) AS step
    )`

/** The statements of the bare server: the rows that an answer needs, or that a write makes, and nothing else. */
export const ROWS = {
  item: `SELECT ${ITEM_COLUMNS} FROM items i JOIN collections c ON c.id = i.collection_id
    WHERE i.id = $1 AND i.locked_at IS NOT NULL AND c.is_public AND c.deployment_status = 'SUCCESS'`,
  items: `SELECT ${ITEM_COLUMNS} FROM items i JOIN collections c ON c.id = i.collection_id
    WHERE i.collection_id = $1 AND i.locked_at IS NOT NULL AND c.is_public AND c.deployment_status = 'SUCCESS' ORDER BY i.id DESC LIMIT $2`,
  ownItems: `SELECT ${ITEM_COLUMNS}, i.royalty_receiver, i.royalty_bps, i.max_supply, i.held, i.minted, i.burned, i.created_at, i.updated_at
    FROM items i JOIN collections c ON c.id = i.collection_id WHERE i.organization_id = $1 ORDER BY i.id DESC LIMIT $2`,
  listing: `SELECT l.id, l.collection_id, l.item_id, l.status, l.quantity_listed, l.quantity_open, l.quantity_confirmed, l.price, l.currency,
    l.payment_providers, l.max_quantity_per_tx, l.starts_at, l.ends_at, c.token_type, c.network_id, c.contract_address
    FROM listings l JOIN collections c ON c.id = l.collection_id WHERE l.id = $1`,
  collection: `SELECT id, name, description, image_url, symbol, token_type, network_id, contract_address, max_supply, royalty_receiver, royalty_bps,
    deployed_at FROM collections WHERE id = $1`,
  insertItem: `WITH made AS (
      INSERT INTO items (id, organization_id, collection_id, attributes, updated_at)
      SELECT $1::uuid, c.organization_id, c.id, jsonb_build_object('title', $3::text), now() FROM collections c WHERE c.id = $2::uuid RETURNING *
    ), audited AS (
      INSERT INTO audit_entries (id, organization_id, actor_type, action, subject_type, subject_id, after, request_id, created_at)
      SELECT gen_random_uuid(), organization_id, 'api_key', 'item.created', 'item', id, to_jsonb(made), 'bare', now() FROM made
    ) SELECT * FROM made`,
  insertClaim: `WITH item AS (
      SELECT id, organization_id, collection_id FROM items WHERE id = $2::uuid
    ), made AS (
      INSERT INTO email_claims (id, organization_id, collection_id, item_id, email, quantity, tx_payer, expires_at, updated_at)
      SELECT $1::uuid, organization_id, collection_id, id, $3::text, 1, 'SELLER', now() + interval '30 days', now() FROM item RETURNING *
    ), held AS (
      INSERT INTO holds (id, organization_id, collection_id, item_id, holder_type, holder_id, quantity, updated_at)
      SELECT gen_random_uuid(), organization_id, collection_id, item_id, 'CLAIM', id, 1, now() FROM made
    ), linked AS (
      INSERT INTO claim_tokens (hash, organization_id, claim_id, generation) SELECT sha256(id::text::bytea), organization_id, id, 1 FROM made
    ), mailed AS (
      INSERT INTO outbox_messages (id, organization_id, template_type, claim_id, to_email, variables, message_id, state)
      SELECT gen_random_uuid(), organization_id, 'REDEEM_NFT', id, email, sha256('variables'), '<' || id || '@bare>', 'DISCARDED' FROM made
    ), told AS (
      INSERT INTO events (id, organization_id, type, key, data) SELECT gen_random_uuid(), organization_id, 'claim.created', id, to_jsonb(made) FROM made
    ), audited AS (
      INSERT INTO audit_entries (id, organization_id, actor_type, action, subject_type, subject_id, after, request_id, created_at)
      SELECT gen_random_uuid(), organization_id, 'api_key', 'email_claim.created', 'email_claim', id, to_jsonb(made), 'bare', now() FROM made
    ) SELECT * FROM made`,
  redeem: `WITH used AS (
      UPDATE pins SET state = 'USED' WHERE claim_id = $1::uuid AND hash = $2 AND state = 'OPEN' AND expires_at > now() RETURNING claim_id
    ), redeemed AS (
      UPDATE email_claims e SET state = 'REDEEMED', to_address = $3::text, redeemed_at = now(), updated_at = now() FROM used
      WHERE e.id = used.claim_id AND e.state = 'OPEN' RETURNING e.*
    ), numbered AS (
      UPDATE collections c SET next_request_id = c.next_request_id + 1 FROM redeemed r WHERE c.id = r.collection_id RETURNING c.next_request_id - 1 AS number
    ), made AS (
      INSERT INTO mint_requests (id, organization_id, collection_id, item_id, transaction_id, claim_id, to_address, quantity, request_number, updated_at)
      SELECT $4::uuid, organization_id, collection_id, item_id, $5::uuid, id, $3::text, quantity, number, now() FROM redeemed, numbered RETURNING *
    ), held AS (
      UPDATE holds SET holder_type = 'MINT_REQUEST', holder_id = $4::uuid, updated_at = now() FROM redeemed r
      WHERE holder_type = 'CLAIM' AND holder_id = r.id AND holds.state = 'HELD'
    ), told AS (
      INSERT INTO events (id, organization_id, type, key, data)
      SELECT gen_random_uuid(), organization_id, 'claim.redeemed', id::text, to_jsonb(made) FROM made
    ), audited AS (
      INSERT INTO audit_entries (id, organization_id, actor_type, action, subject_type, subject_id, after, request_id, created_at)
      SELECT gen_random_uuid(), organization_id, 'claim', 'email_claim.redeemed', 'email_claim', claim_id, jsonb_build_object('state', 'REDEEMED'), 'bare', now()
      FROM made
    ) SELECT id FROM made`,
  /** $1 listing, $2 units, $3 whether they are paid later. */
  take: `WITH taken AS (
      UPDATE listings SET quantity_confirmed = quantity_confirmed + CASE WHEN $3 THEN 0 ELSE $2::bigint END,
        quantity_open = quantity_open + CASE WHEN $3 THEN $2::bigint ELSE 0 END, updated_at = now()
      WHERE id = $1::uuid AND quantity_listed - quantity_open - quantity_confirmed >= $2::bigint RETURNING *
    ), offered AS (
      UPDATE holds h SET quantity = h.quantity - $2::bigint, updated_at = now() FROM taken l
      WHERE h.holder_type = 'LISTING' AND h.holder_id = l.id AND h.state = 'HELD'
    ), numbered AS (
      UPDATE collections c SET next_request_id = next_request_id + $2::bigint FROM taken l WHERE c.id = l.collection_id
      RETURNING c.id, c.network_id, c.contract_address, next_request_id - $2::bigint AS number
    ) SELECT l.organization_id AS organization, l.collection_id AS collection, l.item_id AS item, c.network_id AS network,
      c.contract_address AS contract, c.number FROM taken l JOIN numbered c ON c.id = l.collection_id`,
  /**
   * $1 ids, $2 buyers, $3 listing, $4 organization, $5 collection, $6 item, $7 request keys, $8 bodies' hashes, $9
   * answers.
   */
  sellFree: `WITH ${soldAs('BETA_FREE_MINT', 'CONFIRMED')}, holders AS (
      SELECT gen_random_uuid() AS id, at, b.id AS intent_id, address FROM buyers b
    ), held AS (
      INSERT INTO holds (id, organization_id, collection_id, item_id, holder_type, holder_id, quantity, updated_at)
      SELECT gen_random_uuid(), $4::uuid, $5::uuid, $6::uuid, 'MINT_REQUEST', id, 1, now() FROM holders
    ), counted AS (
      INSERT INTO listing_buyers AS known (organization_id, listing_id, kind, identity, quantity)
      SELECT $4::uuid, $3::uuid, 'ADDRESS', address, count(*) FROM buyers GROUP BY address
      ON CONFLICT (listing_id, kind, identity) DO UPDATE SET quantity = known.quantity + excluded.quantity
    ), joined AS (
      UPDATE transactions SET mint_count = mint_count + cardinality($1::uuid[]), updated_at = now()
      WHERE id = (SELECT id FROM transactions WHERE collection_id = $5::uuid AND tx_type = 'ADMIN_MINT' AND state = 'PENDING'
          AND closed_at IS NULL AND mint_count + cardinality($1::uuid[]) <= 100 ORDER BY id DESC LIMIT 1 FOR NO KEY UPDATE)
      RETURNING id
    ), opened AS (
      INSERT INTO transactions (id, organization_id, collection_id, network_id, tx_type, state, payload, mint_count, updated_at)
      SELECT gen_random_uuid(), $4::uuid, $5::uuid, $10::int, 'ADMIN_MINT', 'PENDING', '{}', cardinality($1::uuid[]), now()
      WHERE NOT EXISTS (SELECT FROM joined) RETURNING id
    ), requested AS (
      INSERT INTO mint_requests (id, organization_id, collection_id, item_id, transaction_id, purchase_intent_id, to_address, quantity,
        request_number, updated_at)
      SELECT h.id, $4::uuid, $5::uuid, $6::uuid, (SELECT id FROM joined UNION ALL SELECT id FROM opened), h.intent_id, h.address, 1,
        $11::bigint + at - 1, now() FROM holders h
    ), told AS (
      INSERT INTO events (id, organization_id, type, key, data)
      SELECT gen_random_uuid(), $4::uuid, 'purchase.confirmed', id, ${FACTS} FROM buyers
    ), ${audited(['created', 'advanced', 'advanced'])} SELECT count(*) FROM sold`,
  /** $10 network, $11 nonce, $12 contract, $13 signatures. */
  sellVoucher: `WITH ${soldAs('MINT_VOUCHER', 'PENDING')}, held AS (
      INSERT INTO holds (id, organization_id, collection_id, item_id, holder_type, holder_id, quantity, updated_at)
      SELECT gen_random_uuid(), $4::uuid, $5::uuid, $6::uuid, 'PURCHASE', id, 1, now() FROM buyers
    ), issued AS (
      INSERT INTO vouchers (id, organization_id, collection_id, item_id, purchase_intent_id, network_id, contract, minter, net_recipient,
        initial_recipient, initial_recipient_amount, quantity, nonce, expiry, price, token_id, currency, signature, updated_at)
      SELECT gen_random_uuid(), $4::uuid, $5::uuid, $6::uuid, id, $10::int, $12::text, address, address, address, 0, 1, $11::bigint + at - 1, 1, 0,
        '1', 'ETH', ($13::text[])[at], now() FROM buyers
    ), ${audited(['created'])} SELECT count(*) FROM sold`,
} as const
