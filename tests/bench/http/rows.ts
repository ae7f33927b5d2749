const ITEM_COLUMNS = `i.id, i.collection_id, i.token_id, c.token_type, c.network_id, c.contract_address, i.attributes, i.image_source, i.image_cid,
  i.image_file, i.attributes->>'title' AS title, i.attributes->>'description' AS description`

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
  history: `SELECT id, type, quantity, from_address, to_address, tx_hash, block_number, timestamp FROM item_history WHERE item_id = $1 ORDER BY id DESC LIMIT 20`,
  owners: `SELECT address, quantity FROM item_owners WHERE item_id = $1 ORDER BY address LIMIT 20`,
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
  take: `UPDATE listings SET quantity_confirmed = quantity_confirmed + $2::bigint
    WHERE id = $1::uuid AND quantity_listed - quantity_open - quantity_confirmed >= $2::bigint
    RETURNING quantity_listed - quantity_open - quantity_confirmed AS left, organization_id AS organization, collection_id AS collection, item_id AS item`,
  sell: `WITH buyers AS (
      SELECT * FROM unnest($1::uuid[], $2::text[]) AS b(id, address)
    ), made AS (
      INSERT INTO purchase_intents (id, organization_id, listing_id, mode, provider, status, fulfillment_method, quantity, total, currency,
        buyer_address, secret_hash, units_state, expires_at, confirmed_at, updated_at)
      SELECT b.id, $4::uuid, $3::uuid, 'TEST', 'BETA_FREE_MINT', 'COMPLETED', 'MINT', 1, 0, 'USD', b.address, sha256(b.id::text::bytea), 'CONFIRMED',
        now(), now(), now() FROM buyers b RETURNING id, buyer_address
    ), units AS (
      INSERT INTO purchase_units (organization_id, intent_id, item_id, quantity) SELECT $4::uuid, id, $6::uuid, 1 FROM made
    ), held AS (
      INSERT INTO holds (id, organization_id, collection_id, item_id, holder_type, holder_id, quantity, updated_at)
      SELECT gen_random_uuid(), $4::uuid, $5::uuid, $6::uuid, 'PURCHASE', id, 1, now() FROM made
    ), told AS (
      INSERT INTO events (id, organization_id, type, key, data)
      SELECT gen_random_uuid(), $4::uuid, 'purchase.confirmed', id, jsonb_build_object('id', id, 'address', buyer_address) FROM made
    ), audited AS (
      INSERT INTO audit_entries (id, organization_id, actor_type, action, subject_type, subject_id, after, request_id, created_at)
      SELECT gen_random_uuid(), $4::uuid, 'anonymous', 'purchase_intent.created', 'purchase_intent', id, jsonb_build_object('address', buyer_address), 'bare', now() FROM made
    ) SELECT count(*) FROM made`,
} as const
