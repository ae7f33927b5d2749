import type pg from 'pg'
import { makeCursor } from '../../../lib/core/cursor.ts'
import type { Sort } from '../../../lib/platform/api/list-sorts.ts'
import { endpoints } from '../../../lib/platform/api/index.ts'
import { requestsOf } from '../gets/queries.ts'
import { readValues, type Values } from '../gets/values.ts'

type Query = Record<string, string | string[]>
/** A page that is asked for, and what it is called beside the same page of another organization. */
export type Visit = { name: string; file: string; params: Record<string, string>; query: Query }

/**
 * The pages that show a list: the operation whose filters they take, and the table that it lists, with the name that
 * its cursors have.
 */
const LISTS: Record<string, [path: string, table?: string, list?: string]> = {
  'api-keys': ['/v1/api-keys'],
  audit: ['/v1/audit-entries', 'audit_entries'],
  campaigns: ['/v1/marketing-campaigns', 'campaigns'],
  claims: ['/v1/email-claims', 'email_claims', 'claims'],
  collections: ['/v1/collections', 'collections'],
  imports: ['/v1/imports'],
  'imports/[importId]': ['/v1/imports/{import_id}/rows'],
  'item-types': ['/v1/item-types'],
  items: ['/v1/items', 'items'],
  listings: ['/v1/listings', 'listings'],
  'listings/[listingId]/allow-list': ['/v1/listings/{listing_id}/allow-list'],
  media: ['/v1/media'],
  members: ['/v1/members'],
  'mint-requests': ['/v1/mint-requests', 'mint_requests'],
  purchases: ['/v1/purchase-intents', 'purchase_intents'],
  'settings/email': ['/v1/suppressions'],
  snapshots: ['/v1/snapshots'],
  transactions: ['/v1/transactions', 'transactions'],
  webhooks: ['/v1/webhooks'],
  'webhooks/[webhookId]': ['/v1/webhooks/{webhook_id}/deliveries'],
}

/** The orders that a list is shown in besides the newest first and the oldest first, as its page's SORTS says. */
const SORTED: Record<string, readonly Sort[]> = {
  claims: ['state'],
  items: ['name', 'nameDown', 'state'],
  listings: ['price', 'priceDown', 'state'],
  purchases: ['price', 'priceDown', 'state'],
}

/** What a page reads of an organization for each folder in brackets. */
const PARAMS: Record<string, string> = {
  campaignId: 'campaign_id',
  claimId: 'email_claim_id',
  collectionId: 'collection_id',
  importId: 'import_id',
  itemId: 'item_id',
  itemTypeId: 'item_type_id',
  listingId: 'listing_id',
  mintRequestId: 'mint_request_id',
  purchaseId: 'purchase_intent_id',
  transactionId: 'transaction_id',
  webhookId: 'webhook_id',
}

/** Queries of pages that aren't lists. */
function queriesOf(page: string, values: Values, ready: string[]): Record<string, Query> {
  const { collection_id: collections = {}, search: words = {}, campaign_id: campaigns = {} } = values
  const chosen = { 'one item': { item_id: ready.slice(0, 1) }, '50 items': { item_id: ready } }
  const searched = Object.fromEntries(Object.entries(words).map(([kind, search]) => [`search=${kind}`, { search }]))
  const collection = { collection_id: collections.common ?? '' }
  const known: Record<string, Record<string, Query>> = {
    '': {
      'over=WEEK': { over: 'WEEK' },
      'over=MONTH': { over: 'MONTH' },
      'sales=units': { sales: 'units' },
      'activity=sent': { activity: 'sent' },
      'activity=minted': { activity: 'minted' },
    },
    'claims/new': { ...searched, ...chosen, 'of a campaign': { campaign_id: campaigns.common ?? '' } },
    'mint-requests/new': { ...searched, ...chosen },
    'listings/new': { ...searched, 'one item': chosen['one item'], 'a collection': collection },
    'items/new': { 'in a collection': collection },
    'imports/new': { 'items of a collection': { kind: 'ITEMS', ...collection }, claims: { kind: 'CLAIMS' } },
    'snapshots/new': { 'of a collection': collection },
    payments: { returned: { returned: '1' } },
  }
  return { '': {}, ...known[page] }
}

/**
 * The queries of a list: each filter alone. The pages' own order is the newest first; the oldest rows are the deepest
 * page.
 */
function listQueries(path: string, values: Values): Record<string, Query> {
  const endpoint = endpoints.find((each) => each.method === 'GET' && each.path === path)
  if (!endpoint) throw new Error(`Nothing answers GET ${path}.`)
  const asked = (requestsOf(endpoint, values, false) ?? []).map(({ url }) => new URL(url, 'http://localhost'))
  const queries = asked.map(({ searchParams }) => {
    searchParams.delete('limit')
    if (searchParams.get('order_direction') === 'DESC') searchParams.delete('order_direction')
    return [searchParams.toString(), Object.fromEntries(searchParams)] as const
  })
  const kindOf = (name: string, value: string) =>
    Object.entries(values[name] ?? {}).find(([, each]) => each === value)?.[0] ?? value
  return Object.fromEntries(
    queries.map(([, query]) => [
      Object.entries(query)
        .map(([name, value]) => (name === 'order_direction' ? 'oldest first' : `${name}=${kindOf(name, value)}`))
        .join(' '),
      query,
    ]),
  )
}

/** Every visit of a page that an organization's rows allow; null where it lacks a row that the page is about. */
async function visitsOf(db: pg.Client, file: string, organizationId: string, values: Values, ready: string[]) {
  const page = file.replace(/^app\/dashboard\/?|\/?page\.tsx$/g, '').replace(/\/$/, '')
  const names = [...page.matchAll(/\[(\w+)\]/g)].map(([, name]) => name!)
  const found = names.map((name) =>
    name === 'type'
      ? ['redeem-nft']
      : Object.entries(values[PARAMS[name]!] ?? {}).flatMap(([kind, id]) => (kind === 'absent' ? [] : [id])),
  )
  if (found.some((ids) => ids.length === 0)) return null
  const [path, table, list = table] = LISTS[page] ?? []
  const queries = path ? listQueries(path, values) : queriesOf(page, values, ready)
  for (const [kind, mailbox] of Object.entries(page === 'claims' ? (values.email ?? {}) : {}))
    queries[`search=the beginning of a mailbox, ${kind}`] = { search: mailbox.slice(0, 4) }
  for (const sort of SORTED[page] ?? []) queries[`sort=${sort}`] = { sort }
  const middle = table && (await middleOf(db, table, organizationId))
  if (middle) queries['in the middle'] = { cursor: makeCursor([list!, organizationId], { limit: 1 }, middle, middle) }
  const most = Math.max(1, ...found.map(({ length }) => length))
  return Array.from({ length: most }, (_, at) =>
    Object.entries(queries).map(([name, query]): Visit => ({
      name: [`/dashboard${page && `/${page}`}`, most > 1 && ['of many', 'of few', 'of others'][at], name]
        .filter(Boolean)
        .join(' '),
      file,
      params: Object.fromEntries(names.map((param, nth) => [param, found[nth]![at] ?? found[nth]![0]!])),
      query,
    })),
  ).flat()
}

/** The id in the middle of a list, where it has many rows. */
async function middleOf(db: pg.Client, table: string, organizationId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT id FROM ${table} WHERE organization_id = $1 ORDER BY id OFFSET
       (SELECT count(*) / 2 FROM ${table} WHERE organization_id = $1) LIMIT 1`,
    [organizationId],
  )
  return rows[0]?.id
}

/** All visits of an organization, and the pages that it has no rows for. */
export async function readVisits(db: pg.Client, files: readonly string[], organizationId: string) {
  const own = async (sql: string) => (await db.query<{ id: string }>(sql, [organizationId])).rows.map(({ id }) => id)
  const [mint] = await own('SELECT id FROM mint_requests WHERE organization_id = $1 LIMIT 1')
  const ready = await own(
    `SELECT i.id FROM items i JOIN collections c ON c.id = i.collection_id
     WHERE i.organization_id = $1 AND i.locked_at IS NOT NULL AND c.deployment_status = 'SUCCESS' LIMIT 50`,
  )
  const values: Values = { ...(await readValues(db, organizationId)), mint_request_id: mint ? { some: mint } : {} }
  const visits: Visit[] = []
  const missing: string[] = []
  for (const file of files) {
    const found = await visitsOf(db, file, organizationId, values, ready)
    if (found) visits.push(...found)
    else missing.push(file)
  }
  return { visits, missing }
}
