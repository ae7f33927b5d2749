import type { Client } from 'pg'

/** The tables that the files of this folder fill. */
export const TABLES = [
  'audit_entries',
  'campaigns',
  'claim_tokens',
  'collections',
  'email_claims',
  'events',
  'holds',
  'item_history',
  'item_owners',
  'items',
  'listing_allowances',
  'listing_buyers',
  'listings',
  'mint_requests',
  'outbox_messages',
  'payments',
  'purchase_intents',
  'purchase_units',
  'sandbox_payment_intents',
  'sandbox_refunds',
  'signed_transactions',
  'snapshot_holders',
  'snapshots',
  'transactions',
  'vouchers',
  'webhook_attempts',
  'webhook_deliveries',
]

/** The tables of totals and figures that are computed from them. */
export const SUMS = [
  'claim_changes',
  'claim_days',
  'claim_figures',
  'collection_owners',
  'collection_sums',
  'row_counts',
  'sale_changes',
  'sale_days',
]

type Definition = { undo: string; redo: string }

/**
 * Runs `load` without foreign keys, indexes, row-level security and triggers of our tables, and makes them again
 * afterwards, where the new rows must satisfy them. Within the caller's transaction: others wait, and see all or
 * nothing. What triggers keep up is for `load` to compute.
 */
export async function withoutIndexes<T>(
  client: Client,
  load: () => Promise<T>,
  tell: (what: string) => void,
): Promise<T> {
  const foreignKeys = await definitions(
    client,
    `
    SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS undo,
      format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS redo
    FROM pg_constraint WHERE contype = 'f' AND (conrelid = ANY($1::regclass[]) OR confrelid = ANY($1::regclass[])) ORDER BY conrelid::regclass::text, conname`,
  )
  // Indexes that a key of another table still needs, or that clashes are judged by, stay.
  const keys = await definitions(
    client,
    `
    SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS undo,
      format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS redo
    FROM pg_constraint WHERE contype IN ('p', 'u') AND conrelid = ANY($1::regclass[]) ORDER BY conrelid::regclass::text, conname`,
  )
  const indexes = await definitions(
    client,
    `
    SELECT format('DROP INDEX %s', i.indexrelid::regclass) AS undo, pg_get_indexdef(i.indexrelid) AS redo
    FROM pg_index i WHERE i.indrelid = ANY($1::regclass[]) AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.indexrelid AND c.contype IN ('p', 'u'))
    ORDER BY i.indexrelid::regclass::text`,
  )
  const security = await definitions(
    client,
    `
    SELECT format('ALTER TABLE %s NO FORCE ROW LEVEL SECURITY', oid::regclass) AS undo, format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', oid::regclass) AS redo
    FROM pg_class WHERE relforcerowsecurity AND relkind = 'r' ORDER BY oid::regclass::text`,
  )
  // One that always runs needs nothing but its row.
  const triggers = await definitions(
    client,
    `
    SELECT format('ALTER TABLE %s DISABLE TRIGGER %I', tgrelid::regclass, tgname) AS undo, format('ALTER TABLE %s ENABLE TRIGGER %I', tgrelid::regclass, tgname) AS redo
    FROM pg_trigger WHERE NOT tgisinternal AND tgenabled = 'O' AND tgrelid = ANY($1::regclass[]) ORDER BY tgrelid::regclass::text, tgname`,
  )
  for (const { undo } of [...security, ...triggers, ...foreignKeys, ...indexes, ...keys]) await client.query(undo)
  const loaded = await load()
  tell('indexes')
  for (const { redo } of [...keys, ...indexes]) await client.query(redo)
  tell('foreign keys')
  for (const { redo } of [...foreignKeys, ...triggers, ...security]) await client.query(redo)
  return loaded
}

const definitions = async (client: Client, statement: string): Promise<Definition[]> =>
  (await client.query<Definition>(statement, statement.includes('$1') ? [TABLES] : [])).rows
