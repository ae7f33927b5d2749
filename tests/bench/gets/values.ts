import type pg from 'pg'
import { claimTokenOf } from '../../../lib/giving/claim-token.ts'

/**
 * What a filter or a path is given: values by how many rows have them. A filter that is given twice has its values in
 * two lines.
 */
type Kind = 'common' | 'rare' | 'absent' | 'some' | 'together' | 'seldom together'
export type Values = Record<string, Partial<Record<Kind, string>>>

const NOBODY = '00000000-0000-7000-8000-000000000000'
/** Of what only some texts are valid for. */
const ABSENT_VALUES: Record<string, string> = {
  owner: `0x${'0'.repeat(39)}1`,
  eth_address: `0x${'0'.repeat(39)}1`,
  email: 'nobody@nowhere.example',
  token_ids: '987654321987654321',
  token_id: '987654321987654321',
}

/** Where the values of filters come from: of which table, and which of its columns. */
const COLUMNS: Record<string, [table: string, column: string]> = {
  collection_id: ['items', 'collection_id'],
  item_id: ['item_owners', 'item_id'],
  campaign_id: ['email_claims', 'campaign_id'],
  webhook_id: ['webhook_deliveries', 'webhook_id'],
  import_id: ['import_rows', 'import_id'],
  snapshot_id: ['snapshot_holders', 'snapshot_id'],
  owner: ['item_owners', 'address'],
  eth_address: ['purchase_intents', 'buyer_address'],
  email: ['email_claims', 'email'],
  action: ['audit_entries', 'action'],
  subject_type: ['audit_entries', 'subject_type'],
  actor_id: ['audit_entries', 'actor_id'],
  event_type: ['webhook_deliveries', 'event_type'],
}
/** Any row's. */
const SOME: Record<string, [table: string, column: string]> = {
  email_claim_id: ['email_claims', 'id'],
  purchase_intent_id: ['purchase_intents', 'id'],
  transaction_id: ['mint_requests', 'transaction_id'],
  webhook_delivery_id: ['webhook_deliveries', 'id'],
  audit_entry_id: ['audit_entries', 'id'],
  payment_integration_id: ['payment_integrations', 'id'],
  item_type_id: ['item_types', 'id'],
  member_id: ['members', 'id'],
  api_key_id: ['api_keys', 'id'],
  media_id: ['media_files', 'id'],
  subject_id: ['audit_entries', 'subject_id'],
  token_ids: ['items', 'token_id'],
  token_id: ['items', 'token_id'],
  name: ['campaigns', 'name'],
}

/** Values of path parameters and filters for an organization's rows. */
export async function readValues(db: pg.Client, organizationId: string): Promise<Values> {
  const list = async (sql: string): Promise<string[]> =>
    (await db.query<{ value: string }>(sql, [organizationId])).rows.map(({ value }) => value)
  const values: Values = {}
  for (const [name, [table, column]] of Object.entries(COLUMNS)) {
    const found = await list(
      `SELECT ${column}::text AS value FROM ${table} WHERE organization_id = $1 AND ${column} IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1`,
    )
    const [common, rare] = [found[0], found.at(-1)]
    const absent = name.endsWith('_id') ? NOBODY : (ABSENT_VALUES[name] ?? 'absent')
    values[name] = { ...(common && { common }), ...(rare && rare !== common && { rare }), absent }
  }
  for (const [name, [table, column]] of Object.entries(SOME)) {
    const [some] = await list(
      `SELECT ${column}::text AS value FROM ${table} WHERE organization_id = $1 AND ${column} IS NOT NULL LIMIT 1 OFFSET 0`,
    )
    values[name] = some ? { some, absent: ABSENT_VALUES[name] ?? 'absent' } : {}
  }
  const listings = await list(
    `SELECT listing_id::text AS value FROM purchase_intents WHERE organization_id = $1 GROUP BY 1 ORDER BY count(*) DESC LIMIT 1`,
  )
  const [allowed] = await list(
    `SELECT listing_id::text AS value FROM listing_allowances WHERE organization_id = $1 GROUP BY 1 ORDER BY count(*) DESC LIMIT 1`,
  )
  const now = Date.now()
  const daysAgo = (days: number) => new Date(now - days * 86_400_000).toISOString()
  return {
    ...values,
    ...(await readItemValues(list)),
    organization_id: { some: organizationId },
    listing_id: { common: listings[0]!, ...(allowed && { rare: allowed }), absent: NOBODY },
    collection_ids: values.collection_id!,
    claim_id: values.email_claim_id!,
    claim_token: values.email_claim_id!.some
      ? { some: claimTokenOf({ id: values.email_claim_id!.some, generation: 1 }) }
      : {},
    network_id: { common: '31337', absent: '1' },
    network_ids: { common: '31337', absent: '1' },
    template_type: { some: 'REDEEM_NFT' },
    capability: { some: 'ERC721' },
    from: { common: daysAgo(1000), rare: daysAgo(1), absent: daysAgo(-1000) },
    to: { common: daysAgo(-1000), rare: daysAgo(379), absent: daysAgo(1000) },
  }
}

/** Attributes and words that many, few and no items have. */
async function readItemValues(list: (sql: string) => Promise<string[]>): Promise<Values> {
  const attributes = await list(
    `SELECT key || ':' || value AS value FROM (SELECT * FROM items TABLESAMPLE SYSTEM (5) WHERE organization_id = $1) i, jsonb_each_text(attributes)
     WHERE key NOT IN ('title', 'description') GROUP BY 1 ORDER BY count(*) DESC`,
  )
  const titles = await list(
    `SELECT attributes ->> 'title' AS value FROM items WHERE organization_id = $1 ORDER BY id LIMIT 2`,
  )
  const [word = 'absent', number = '1'] = (titles[0] ?? '').split(' ')
  const pairs = await list(
    `SELECT a.key || ':' || a.value || E'\\n' || b.key || ':' || b.value AS value
     FROM (SELECT * FROM items TABLESAMPLE SYSTEM (2) WHERE organization_id = $1) i, jsonb_each_text(attributes) a, jsonb_each_text(attributes) b
     WHERE a.key < b.key AND a.key NOT IN ('title', 'description') AND b.key NOT IN ('title', 'description') GROUP BY 1 ORDER BY count(*) DESC, 1`,
  )
  const [together, seldom] = [pairs[0], pairs[Math.floor(pairs.length / 4)]]
  const rare = attributes.at(-1)
  const attribute = {
    ...(attributes[0] && { common: attributes[0] }),
    ...(rare && { rare }),
    some: `title:${titles[1] ?? ''}`,
    ...{ absent: 'title:nowhere' },
    ...(together && { together }),
    ...(seldom && { 'seldom together': seldom }),
  }
  const words = { common: word, rare: `${word} ${number}`, some: word.slice(1, 3), absent: 'nowhere to be found' }
  return { attribute, attributes: attribute, search: words, q: words }
}
