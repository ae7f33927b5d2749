import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { env } from '../../lib/core/env.ts'
import { newId } from '../../lib/core/id.ts'
import { findAdminItems } from '../../lib/catalog/items/find-admin-items.ts'
import { listItems } from '../../lib/catalog/items/list-items.ts'
import { readItemsOfOwner } from '../../lib/catalog/items/read-items-of-owner.ts'
import { listClaims } from '../../lib/giving/list-claims.ts'
import { listListings } from '../../lib/offers/listings/list-listings.ts'
import { listPurchases } from '../../lib/selling/purchases/list-purchases.ts'
import { call } from '../support/call.ts'
import { fillLists, ROWS } from '../support/filled-lists.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeRows } from '../support/rows.ts'
import { findMostRead } from '../support/statistics.ts'

/** Pages of 8 kB that one statement may read for a page of 20 rows; the tables have several hundred. */
const BOUND = 150
/** For purchases, which one statement reads with all that belongs to them. */
const PURCHASES_BOUND = 400
/** For what functions past row-level security find, which are planned for each request. */
const SEARCH_BOUND = 300

let big: TestOrganization
let small: TestOrganization
let rows: Record<string, string>
const owner = new pg.Client({ connectionString: env.MIGRATE_DATABASE_URL })

beforeAll(async () => {
  await owner.connect()
  await owner.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements')
  ;[small, big] = [await makeOrganization(), await makeOrganization()]
  await makeRows(small)
  rows = await fillLists(owner, big)
}, 240_000)
afterAll(() => owner.end())

/**
 * The statement of a request that read most, with the pages it read. Totals are counted up to 10,000: `counts` says
 * whether such statements are among them.
 */
async function mostRead(url: string, key: string, { counts = true } = {}) {
  return mostReadBy(
    async () => {
      const { status, body } = await call('GET', url, { key })
      expect(status, JSON.stringify(body)).toBe(200)
      return body
    },
    { counts },
  )
}

async function mostReadBy(ask: () => Promise<{ cursor: string | null }>, options?: { counts: boolean }) {
  const { answer, ...most } = await findMostRead(owner, ask, options)
  return { ...most, cursor: answer.cursor }
}

const LISTS = [
  '/v1/items?limit=20',
  '/v1/items?limit=20&locked=true&order_direction=ASC',
  '/v1/items?limit=20&collection_id={collection_id}',
  '/v1/items?limit=20&attribute=Rank:r7',
  '/v1/items?limit=20&attribute=Rank:absent',
  '/v1/items?limit=20&attribute=title:Item 7&locked=true',
  '/v1/items?limit=20&attribute=Half:even&attribute=Half:odd',
  '/v1/items?limit=20&attribute=Half:even&attribute=Rank:r7',
  '/v1/items?limit=20&search=tem 777',
  '/v1/items?limit=20&search=zz',
  '/v1/items?limit=20&token_status=BURNED',
  '/v1/items?limit=20&token_status=MINTING',
  '/v1/items?limit=20&token_status=NOT_MINTED',
  '/v1/items?limit=20&locked=false',
  '/v1/items/{item_id}/holds?limit=20&state=EXCEPTION',
  '/v1/listings/{listing_id}/allow-list?limit=20',
  '/v1/listings/{listing_id}/allow-list?limit=20&search=4b22777d4d',
  '/v1/listings/{listing_id}/allow-list?limit=20&search=absent',
  '/public/v1/items?limit=100&collection_ids={collection_id}',
  '/public/v1/items?limit=20&network_ids=1&attributes=Half:even',
  '/public/v1/items/{item_id}/history?limit=20&event_type=BURN',
  '/v1/email-claims?limit=20',
  '/v1/email-claims?limit=20&state=LOCKED',
  '/v1/email-claims?limit=20&state=EXPIRED',
  '/v1/email-claims?limit=20&claimed=false',
  '/v1/email-claims?limit=20&active=true',
  '/v1/email-claims?limit=20&search=nobody',
  '/v1/email-claims?limit=20&search=nobody',
  '/v1/purchase-intents?limit=20',
  '/v1/purchase-intents?limit=20&collection_id={rare_collection_id}',
  '/v1/purchase-intents?limit=20&status=UNRESOLVED',
  '/v1/purchase-intents?limit=20&status=CONFIRMED&fulfillment_status=PENDING',
  '/v1/purchase-intents?limit=20&payment_provider=CARD_PROVIDER',
  '/v1/purchase-intents?limit=20&payment_provider=MINT_VOUCHER',
  '/v1/transactions?limit=20',
  '/v1/transactions?limit=20&state=FAILED',
  '/v1/transactions?limit=20&tx_type=SET_ROYALTY',
  '/v1/transactions?limit=20&tx_type=SET_ROYALTY&collection_id={collection_id}',
  '/v1/audit-entries?limit=20',
  '/v1/audit-entries?limit=20&actor_type=member',
  '/v1/audit-entries?limit=20&actor_id={listing_id}',
  '/v1/audit-entries?limit=20&subject_id=77',
  '/v1/audit-entries?limit=20&action=brand.',
  '/v1/audit-entries?limit=20&action=nothing',
  '/v1/audit-entries?limit=20&subject_type=organization',
  '/v1/webhooks/{webhook_id}/deliveries?limit=20',
  '/v1/webhooks/{webhook_id}/deliveries?limit=20&state=FAILED',
  '/v1/webhooks/{webhook_id}/deliveries?limit=20&event_type=purchase.refunded',
  '/v1/mint-requests/{transaction_id}',
]

test.each(LISTS)('%s: no statement reads much of a big table, on the first page and on a later one', async (list) => {
  const isSearch = /search=|attribute=|allow-list/.test(list)
  const bound = list.startsWith('/v1/purchase-intents') ? PURCHASES_BOUND : isSearch ? SEARCH_BOUND : BOUND
  const url = list.replace(/\{(\w+)\}/g, (_, name: string) => rows[name]!)
  await call('GET', url, { key: big.key }) // what is read once per connection
  const first = await mostRead(url, big.key)
  expect(first.read, first.query).toBeLessThanOrEqual(bound)
  if (!first.cursor) return
  const later = await mostRead(`${url}&cursor=${first.cursor}`, big.key)
  expect(later.read, later.query).toBeLessThanOrEqual(bound)
})

const SORTED: [
  string,
  (page: { limit: number; order_direction: 'ASC' | 'DESC' }) => Promise<{ cursor: string | null }>,
][] = [
  ['items by name', (page) => listItems(big.ctx, { ...page, attribute: [], order_by: 'NAME' })],
  [
    'found items by name',
    (page) => listItems(big.ctx, { ...page, attribute: [], order_by: 'NAME', search: 'tem 777' }),
  ],
  [
    'items that many are, by name',
    (page) => listItems(big.ctx, { ...page, attribute: [], order_by: 'NAME', search: 'Item' }),
  ],
  ['items by state', (page) => listItems(big.ctx, { ...page, attribute: [], order_by: 'STATE' })],
  ['claims by state', (page) => listClaims(big.ctx, { ...page, order_by: 'STATE' })],
  ['purchases by price', (page) => listPurchases(big.ctx, { ...page, order_by: 'PRICE' })],
  ['purchases by state', (page) => listPurchases(big.ctx, { ...page, order_by: 'STATE' })],
  [
    'listings by price',
    (page) => listListings(big.ctx, { ...page, collection_id: rows.collection_id, order_by: 'PRICE' }),
  ],
]

test.each(SORTED)('%s: the first page reads little of a big table, from either end', async (_what, list) => {
  for (const order_direction of ['ASC', 'DESC'] as const) {
    const ask = () => list({ limit: 20, order_direction })
    await ask() // what is read once per connection
    const { read, query } = await mostReadBy(ask)
    expect(read, query).toBeLessThanOrEqual(PURCHASES_BOUND)
  }
})

/** A sample of 300 pages, 10,001 entries of an index, and a hundred rows whose item is looked for. */
const SAMPLE_BOUND = 1_000

test.each([
  '/public/v1/items/{item_id}/history?limit=20',
  '/public/v1/items/{item_id}/owners?limit=20',
  '/v1/email-claims?limit=20&item_id={item_id}',
  '/v1/purchase-intents?limit=20&item_id={item_id}',
])('%s: more than 10,000 rows are counted by a sample', async (list) => {
  const url = list.replace('{item_id}', rows.item_id!)
  const { body } = await call('GET', url, { key: big.key })
  expect(body.total_is_estimate).toBe(true)
  expect(Math.abs(body.total_results - ROWS)).toBeLessThan(ROWS / 5)
  for (let warm = 0; warm < 4; warm++) await call('GET', url, { key: big.key }) // what is read once per connection
  const { read, query } = await mostRead(url, big.key)
  expect(read, query).toBeLessThanOrEqual(SAMPLE_BOUND)
})

test('what surely many items have is listed in their order, without an index being asked for their number', async () => {
  const url = '/v1/items?limit=20&search=Item'
  for (let warm = 0; warm < 2; warm++) await call('GET', url, { key: big.key }) // what is read once per connection
  const { read, query } = await mostRead(url, big.key)
  expect(read, query).toBeLessThanOrEqual(BOUND)
  const { body } = await call('GET', url, { key: big.key })
  expect([body.results.length, body.total_is_estimate]).toEqual([20, true])
  expect(Math.abs(body.total_results - ROWS)).toBeLessThan(ROWS / 5)
})

test('purchases of an item in some state are counted without looking each of them up, exactly', async () => {
  const sold = await makeOrganization()
  const its = await makeRows(sold)
  const listingOf = (item: string, id: string) =>
    `INSERT INTO listings SELECT l.* FROM (SELECT * FROM listings WHERE id = '${its.listing_id}') o,
      LATERAL jsonb_populate_record(NULL::listings, to_jsonb(o) || jsonb_build_object('id', '${id}', 'item_id', ${item}, 'status', 'ACTIVE')) l`
  const own = newId()
  await owner.query(`
    ALTER TABLE purchase_intents SET (autovacuum_enabled = off);
    SET session_replication_role = replica;
    ${listingOf(`'${its.item_id}'`, own)};
    INSERT INTO purchase_intents SELECT c.* FROM (SELECT * FROM purchase_intents WHERE id = '${its.purchase_intent_id}') o, generate_series(1, 5000) n,
      LATERAL jsonb_populate_record(NULL::purchase_intents, to_jsonb(o) || jsonb_build_object('id', uuidv7(), 'listing_id', '${own}', 'status',
        CASE WHEN n <= 7 THEN 'REFUNDED' ELSE 'CONFIRMED' END, 'fulfillment_status', 'COMPLETED', 'request_key', NULL)) c;
    DELETE FROM purchase_intents WHERE id = '${its.purchase_intent_id}';
    INSERT INTO purchase_units (organization_id, intent_id, item_id, quantity)
      SELECT organization_id, id, '${its.item_id}', 1 FROM purchase_intents WHERE listing_id = '${own}';
    SET session_replication_role = origin;
    INSERT INTO row_counts (organization_id, table_name, parent_id, traits, amount)
      SELECT organization_id, table_name, parent_id, traits, amount FROM row_counts_missing WHERE organization_id = '${sold.id}'`)
  await owner.query('VACUUM (ANALYZE) purchase_units, purchase_intents, listings, row_counts')
  const list = (filter: string) => `/v1/purchase-intents?limit=20&item_id=${its.item_id}&${filter}`
  const totals = async () =>
    Promise.all(
      ['status=CONFIRMED', 'status=REFUNDED', 'status=REFUNDED&fulfillment_status=PENDING', 'status=PENDING'].map(
        async (filter) => (await call('GET', list(filter), { key: sold.key })).body.total_results,
      ),
    )
  await call('GET', list('status=CONFIRMED'), { key: sold.key }) // what is read once per connection
  const { read, query } = await mostRead(list('status=CONFIRMED'), sold.key)
  expect(read, query).toBeLessThanOrEqual(PURCHASES_BOUND)
  expect(await totals()).toEqual([4_993, 7, 0, 0])
  // Its purchases may now be of a listing of the whole collection.
  const [drawn, bought] = [newId(), newId()]
  await owner.query(`
    SET session_replication_role = replica;
    ${listingOf('NULL', drawn)};
    INSERT INTO purchase_intents SELECT c.* FROM (SELECT * FROM purchase_intents WHERE listing_id = '${own}' AND status = 'REFUNDED' LIMIT 1) o,
      LATERAL jsonb_populate_record(NULL::purchase_intents, to_jsonb(o) || jsonb_build_object('id', '${bought}', 'listing_id', '${drawn}')) c;
    INSERT INTO purchase_units (organization_id, intent_id, item_id, quantity) VALUES ('${sold.id}', '${bought}', '${its.item_id}', 1);
    SET session_replication_role = origin`)
  expect(await totals()).toEqual([4_993, 8, 0, 0])
})

test('a page at the end of an allow list is read without the entries before it', async () => {
  const list = `/v1/listings/${rows.listing_id}/allow-list?limit=20`
  for (const search of ['', '&search=0x']) {
    const first = await mostRead(`${list}&order_direction=ASC${search}`, big.key, { counts: false })
    const { read, query } = await mostRead(`${list}${search}&cursor=${first.cursor}`, big.key, { counts: false })
    expect(read, query).toBeLessThanOrEqual(SEARCH_BOUND)
  }
})

test('the listings that a shop shows are counted without reading them', async () => {
  const shop = `/public/v1/listings?limit=20&organization_id=${big.id}`
  // What is read once per connection, and on each until the plan of what decides a sale is kept.
  for (let warm = 0; warm < 40; warm++) await call('GET', shop, { key: big.key })
  const { read, query } = await mostRead(shop, big.key)
  expect(read, query).toBeLessThanOrEqual(SAMPLE_BOUND)
  const { read: cancelled, query: text } = await mostRead('/v1/listings?limit=20&status=CANCELLED', big.key)
  expect(cancelled, text).toBeLessThanOrEqual(BOUND)
})

/** A hundred listings, the unit that each holds, and what they have in common. */
const SHOP_BOUND = 500

test('a page of what a shop shows is read together, not listing by listing', async () => {
  const shop = `/public/v1/listings?limit=100&organization_id=${big.id}`
  for (let warm = 0; warm < 40; warm++) await call('GET', shop) // what is read once per connection
  const { read, query } = await mostRead(shop, big.key)
  expect(read, query).toBeLessThanOrEqual(SHOP_BOUND)
})

/** Two dozen items, of which each is looked up, with its collection, as what everybody may see of it. */
const OWNED_BOUND = 400

test('a page of what an address owns is read without what it owns beyond it, and so is its version', async () => {
  const address = `0x${'1'.repeat(40)}` as const
  await owner.query(
    `INSERT INTO item_owners (organization_id, item_id, address, quantity) SELECT organization_id, id, $1, 1 FROM items WHERE organization_id = $2`,
    [address, big.id],
  )
  await owner.query('VACUUM (ANALYZE) item_owners')
  const ask = (cursor: string | null) => async () => {
    const page = await readItemsOfOwner(address, `?${new URLSearchParams({ limit: '24', ...(cursor && { cursor }) })}`)
    expect(page?.results).toHaveLength(24)
    return page!
  }
  await ask(null)() // what is read once per connection
  let cursor: string | null = null
  for (const page of ['made', 'kept', 'made', 'kept']) {
    const { read, query, cursor: next }: Awaited<ReturnType<typeof mostReadBy>> = await mostReadBy(ask(cursor))
    expect(read, `${page} ${query}`).toBeLessThanOrEqual(OWNED_BOUND)
    if (page === 'kept') cursor = next
  }
})

test.each([
  '/v1/items/{item_id}/holds?limit=20',
  '/v1/items/{item_id}/holds?limit=20&order_direction=ASC',
  '/v1/audit-entries?limit=20&to={ten_days_ago}',
  '/v1/audit-entries?limit=20&from={ten_days_ago}&order_direction=ASC',
  '/v1/audit-entries?limit=20&actor_type=system&to={ten_days_ago}',
  '/v1/audit-entries?limit=20&action=item.&to={ten_days_ago}',
])('%s: a page is read without what matches beyond it', async (list) => {
  const url = list.replace(/\{(\w+)\}/g, (_, name: string) => rows[name]!)
  await call('GET', url, { key: big.key }) // what is read once per connection
  const { read, query } = await mostRead(url, big.key, { counts: false })
  expect(read, query).toBeLessThanOrEqual(BOUND)
})

test('one row of a kind is found among many, however old it is', async () => {
  for (const url of [
    '/v1/items?token_status=BURNED',
    '/v1/items?search=TEM 7777',
    '/v1/email-claims?state=LOCKED',
    '/v1/email-claims?state=LOCKED&active=false&claimed=false',
    '/v1/purchase-intents?status=UNRESOLVED',
    '/v1/purchase-intents?payment_provider=CARD_PROVIDER&order_direction=ASC',
    '/v1/transactions?tx_type=SET_ROYALTY',
    '/v1/audit-entries?action=brand.',
    '/v1/audit-entries?subject_type=organization',
    `/v1/webhooks/${rows.webhook_id}/deliveries?event_type=purchase.refunded`,
  ]) {
    const { body } = await call('GET', url, { key: big.key })
    expect([url, body.total_results, body.results.length]).toEqual([url, 1, 1])
  }
})

test('an entry of the audit log that was written long after its time is found by its time, among the others in the order of their ids', async () => {
  const { rows: ofTheDay } = await owner.query<{ to: Date }>(
    `SELECT created_at + interval '1 second' AS to FROM audit_entries WHERE organization_id = '${big.id}' AND subject_id = '18720'`,
  )
  const before = ofTheDay[0]!.to.toISOString()
  const { body } = await call('GET', `/v1/audit-entries?limit=3&to=${before}`, { key: big.key })
  expect(body.results.map(({ subject }: { subject: { id: string } }) => subject.id)).toEqual([
    'belated',
    '18720',
    '18721',
  ])
  const { body: all } = await call('GET', `/v1/audit-entries?limit=100&to=${before}&cursor=${body.cursor}`, {
    key: big.key,
  })
  expect(all.results).toHaveLength(100)
  expect(all.total_results).toBe(ROWS - 18_720 + 2)
  const { body: none } = await call('GET', `/v1/audit-entries?from=${before}&subject_id=belated`, { key: big.key })
  expect([none.results, none.total_results]).toEqual([[], 0])
})

test('a single character is looked for in an allow list as the pairs that it is part of', async () => {
  const path = `/v1/listings/${rows.listing_id}/allow-list?limit=20&search=q`
  await mostRead(path, big.key) // A connection's first search reads what it needs to plan it.
  const { read, query } = await mostRead(path, big.key)
  // Two pages for each of 84 pairs, however long the list is.
  expect(read, query).toBeLessThanOrEqual(2 * BOUND)
})

test('what an index past row-level security finds is of the asking organization only', async () => {
  const found = { name: '', text: "SELECT * FROM allowances_with($1::uuid, '4b22', '%4b22%', 10)" }
  expect(await big.ctx.rows(found, rows.listing_id!)).not.toEqual([])
  expect(await small.ctx.rows(found, rows.listing_id!)).toEqual([])
  const belated = { name: '', text: 'SELECT subject_id FROM entries_out_of_order(NULL, NULL)' }
  expect(await big.ctx.rows(belated)).toEqual([{ subject_id: 'belated' }])
  expect(await small.ctx.rows(belated)).toEqual([])
})

test('a small organization beside a big one reads little', async () => {
  for (const url of [
    '/v1/items?limit=20&attribute=title:Theirs',
    '/v1/items?limit=20&search=Their',
    '/v1/transactions?limit=20&state=PENDING',
    '/v1/purchase-intents?limit=20',
  ]) {
    const { read, query } = await mostRead(url, small.key)
    expect(read, query).toBeLessThanOrEqual(BOUND)
  }
})

test('a page of own items is planned a few times, not for each request', async () => {
  for (let asked = 0; asked < 12; asked++)
    expect(
      await findAdminItems(
        big.ctx,
        { attribute: [] },
        { after: undefined, direction: 'desc', take: 21 },
        { readIds: null, total: null, found: null },
        () => Promise.resolve(21),
      ),
    ).toHaveLength(21)
  const plans = await big.ctx.rows<{ custom_plans: bigint; generic_plans: bigint }>({
    name: 'test_plans',
    text: "SELECT custom_plans, generic_plans FROM pg_prepared_statements WHERE name LIKE 'admin_items_%' ORDER BY generic_plans DESC LIMIT 1",
  })
  expect(Number(plans[0]!.generic_plans)).toBeGreaterThanOrEqual(7)
})

test('an update of an item’s counters reads and writes few pages', async () => {
  const { rows: items } = await owner.query<{ id: string }>(
    `SELECT id FROM items WHERE attributes @> '{"Rank": "r7777"}' OR attributes @> '{"Rank": "r8888"}'`,
  )
  const pages: number[] = []
  for (const { id } of items) {
    const { rows: answer } = await owner.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) UPDATE items SET held = held, updated_at = now() WHERE id = '${id}'`,
    )
    const { Plan } = answer[0]!['QUERY PLAN'][0]
    pages.push(Plan['Shared Hit Blocks']! + Plan['Shared Read Blocks']!)
  }
  // The first one on a connection also reads the schema.
  expect(pages[1]).toBeLessThanOrEqual(20)
})

test('owners of which there are surely more than 10,000 are not counted, also where vacuum has not seen them yet', async () => {
  const url = `/public/v1/items/${rows.item_id}/owners?limit=20&order_direction=ASC`
  await owner.query(`UPDATE item_owners SET quantity = 2 WHERE item_id = '${rows.item_id}'`)
  const { body } = await call('GET', url, { key: big.key })
  expect(body.total_is_estimate).toBe(true)
  expect(Math.abs(body.total_results - ROWS)).toBeLessThan(ROWS / 5)
  for (let warm = 0; warm < 4; warm++) await call('GET', url, { key: big.key }) // what is read once per connection
  const { read, query } = await mostRead(url, big.key)
  expect(read, query).toBeLessThanOrEqual(3 * SAMPLE_BOUND)
})
