import type pg from 'pg'
import { newId } from '../../lib/core/id.ts'
import type { TestOrganization } from './organization.ts'
import { makeRows } from './rows.ts'

export const ROWS = 20_000

const FILLED = [
  'transactions',
  'audit_entries',
  'webhook_deliveries',
  'items',
  'holds',
  'listing_allowances',
  'item_history',
  'item_owners',
  'email_claims',
  'purchase_intents',
  'purchase_units',
  'listings',
]

/**
 * Fills the organization's lists with `ROWS` rows each; returns values for the path parameters of the API, and what is
 * rare among the rows.
 */
export async function fillLists(owner: pg.Client, organization: TestOrganization): Promise<Record<string, string>> {
  const { id } = organization
  const rows: Record<string, string> = {
    ...(await makeRows(organization)),
    rare_collection_id: newId(),
    rare_listing_id: newId(),
    ten_days_ago: new Date(Date.now() - 10 * 86_400_000).toISOString(),
  }
  // While autovacuum analyzes a table, VACUUM marks no page of any table as visible to all, and counts read each row.
  for (const table of FILLED) await owner.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`)
  const copies = `FROM generate_series(1, ${ROWS}) n WHERE true`
  const one = (table: string, id: string) =>
    `(SELECT * FROM ${table} WHERE id = '${id}') o, generate_series(1, ${ROWS}) n`
  await owner.query(`
    INSERT INTO transactions (id, organization_id, collection_id, network_id, tx_type, state, updated_at)
      SELECT uuidv7(), o.organization_id, o.collection_id, o.network_id, o.tx_type, 'COMPLETED', now() FROM ${one('transactions', rows.transaction_id!)};
    INSERT INTO audit_entries (id, organization_id, actor_type, action, subject_type, subject_id, request_id, created_at)
      SELECT uuidv7(n * interval '-1 minute'), '${id}', 'system', 'item.updated', 'item', n::text, 'test', now() - n * interval '1 minute' ${copies};
    INSERT INTO audit_entries (id, organization_id, actor_type, action, subject_type, subject_id, request_id, created_at)
      VALUES (uuidv7(), '${id}', 'system', 'item.updated', 'item', 'belated', 'test', now() - interval '100 days');
    INSERT INTO webhook_deliveries (id, organization_id, webhook_id, event_type, message_id, payload, state)
      SELECT uuidv7(), '${id}', '${rows.webhook_id}', 'claim.delivered', uuidv7(), '{"type":"claim.delivered"}', 'DELIVERED' ${copies};
    SET session_replication_role = replica; -- the triggers of stock would run for each row
    INSERT INTO items (id, organization_id, collection_id, attributes, token_id, locked_at, max_supply, updated_at)
      SELECT uuidv7(), o.organization_id, o.collection_id, jsonb_build_object('title', 'Item ' || n, 'Rank', 'r' || n, 'Half', CASE n % 2 WHEN 0 THEN 'even' ELSE 'odd' END), (n + 100)::text, now(), 1, now()
      FROM ${one('items', rows.item_id!)};
    INSERT INTO holds (id, organization_id, collection_id, item_id, holder_type, holder_id, quantity, state, updated_at)
      SELECT uuidv7(), o.organization_id, o.collection_id, o.id, 'CLAIM', uuidv7(), 1, (CASE n % 4 WHEN 0 THEN 'HELD' ELSE 'RELEASED' END)::"HoldState", now()
      FROM ${one('items', rows.item_id!)};
    INSERT INTO listing_allowances (organization_id, listing_id, kind, identity)
      SELECT '${id}', '${rows.listing_id}', 'ADDRESS', '0x' || left(encode(sha256(n::text::bytea), 'hex'), 40) ${copies};
    INSERT INTO item_history (id, organization_id, collection_id, item_id, token_id, type, quantity, from_address, to_address, network_id, tx_hash,
        block_number, log_index, timestamp)
      SELECT uuidv7(), o.organization_id, o.collection_id, o.id, '1', 'MINT', 1, o.address, o.address, 31337, o.id::text, 1, n, now() FROM (SELECT *, '0x' || repeat('0', 40) AS address FROM items WHERE id = '${rows.item_id}') o, generate_series(1, ${ROWS}) n;
    INSERT INTO item_owners (organization_id, item_id, address, quantity)
      SELECT o.organization_id, o.id, '0x' || left(encode(sha256(n::text::bytea), 'hex'), 40), 1 FROM ${one('items', rows.item_id!)};
    INSERT INTO email_claims SELECT c.* FROM ${one('email_claims', rows.email_claim_id!)}, LATERAL jsonb_populate_record(NULL::email_claims, to_jsonb(o) || jsonb_build_object('id', uuidv7(), 'state', 'CLAIMED', 'created_at', now() + n * interval '1 ms')) c;
    INSERT INTO purchase_intents SELECT c.* FROM ${one('purchase_intents', rows.purchase_intent_id!)}, LATERAL jsonb_populate_record(NULL::purchase_intents, to_jsonb(o) || jsonb_build_object('id', uuidv7(), 'status', 'CONFIRMED', 'fulfillment_status', 'COMPLETED', 'provider', 'BETA_FREE_MINT', 'created_at', now() + n * interval '1 ms')) c;
    INSERT INTO purchase_units (organization_id, intent_id, item_id, quantity)
      SELECT organization_id, id, '${rows.item_id}', 1 FROM purchase_intents WHERE organization_id = '${id}' ON CONFLICT DO NOTHING;
    INSERT INTO collections SELECT c.* FROM (SELECT * FROM collections WHERE id = '${rows.collection_id}') o, LATERAL jsonb_populate_record(NULL::collections, to_jsonb(o) || jsonb_build_object('id', '${rows.rare_collection_id}', 'name', 'Rare', 'contract_address', NULL)) c;
    INSERT INTO listings SELECT l.* FROM (SELECT * FROM listings WHERE id = '${rows.listing_id}') o, LATERAL jsonb_populate_record(NULL::listings, to_jsonb(o) || jsonb_build_object('id', '${rows.rare_listing_id}', 'collection_id', '${rows.rare_collection_id}', 'item_id', NULL)) l;
    INSERT INTO listings SELECT l.* FROM ${one('listings', rows.listing_id!)}, LATERAL jsonb_populate_record(NULL::listings, to_jsonb(o) || jsonb_build_object('id', uuidv7(), 'item_id', NULL, 'status', 'CANCELLED', 'created_at', now() + n * interval '1 ms')) l;
    UPDATE purchase_intents SET listing_id = '${rows.rare_listing_id}' WHERE id IN (SELECT id FROM purchase_intents WHERE organization_id = '${id}' ORDER BY id OFFSET 1 LIMIT 5);
    UPDATE webhook_deliveries SET state = 'FAILED' WHERE id IN (SELECT id FROM webhook_deliveries WHERE organization_id = '${id}' ORDER BY id OFFSET 1 LIMIT 5);
    UPDATE transactions SET tx_type = 'SET_ROYALTY' WHERE id = (SELECT id FROM transactions WHERE organization_id = '${id}' ORDER BY id LIMIT 1);
    UPDATE items SET minted = 1, burned = 1 WHERE id = (SELECT id FROM items WHERE organization_id = '${id}' ORDER BY id LIMIT 1);
    UPDATE email_claims SET state = 'LOCKED' WHERE id = (SELECT id FROM email_claims WHERE organization_id = '${id}' ORDER BY id LIMIT 1);
    UPDATE purchase_intents SET status = 'UNRESOLVED', provider = 'CARD_PROVIDER' WHERE id = (SELECT id FROM purchase_intents WHERE organization_id = '${id}' ORDER BY id LIMIT 1);
    UPDATE audit_entries SET action = 'brand.updated', subject_type = 'organization' WHERE id = (SELECT id FROM audit_entries WHERE organization_id = '${id}' ORDER BY id LIMIT 1);
    UPDATE webhook_deliveries SET event_type = 'purchase.refunded' WHERE id = (SELECT id FROM webhook_deliveries WHERE organization_id = '${id}' ORDER BY id LIMIT 1);
    SET session_replication_role = origin;
    DELETE FROM row_counts WHERE organization_id = '${id}';
    INSERT INTO row_counts (organization_id, table_name, parent_id, traits, amount)
      SELECT organization_id, table_name, parent_id, traits, amount FROM row_counts_missing;
    INSERT INTO collection_sums (organization_id, collection_id, kind, name, value, amount)
      SELECT organization_id, collection_id, kind, name, value, amount FROM collection_sums_missing WHERE organization_id = '${id}';
    ANALYZE email_claims, item_history, purchase_intents, transactions, audit_entries, webhook_deliveries, holds, row_counts`)
  // New entries of their indexes wait in lists of their own until then.
  await owner.query('VACUUM (ANALYZE) items, listings, item_history, item_owners, listing_allowances, purchase_units')
  return rows
}
