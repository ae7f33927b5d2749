import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { env } from '../../lib/core/env.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { verifyBooks } from '../../lib/data/reconciliation/verify-books.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { fillDatabase, type Seeded } from '../../scripts/seed-big/fill-database.ts'
import { callerOf } from '../support/call.ts'
import { installFakeChain } from '../support/claims.ts'

/** What the seed takes away while it loads, as the database describes it. */
async function readDefinitions(): Promise<string[]> {
  const client = new pg.Client({ connectionString: env.MIGRATE_DATABASE_URL })
  await client.connect()
  try {
    const { rows } = await client.query<{ definition: string }>(`
      SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || convalidated AS definition FROM pg_constraint WHERE connamespace = 'public'::regnamespace
      UNION ALL SELECT pg_get_indexdef(indexrelid) || indisvalid FROM pg_index WHERE indrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)
      UNION ALL SELECT pg_get_triggerdef(oid) || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
      UNION ALL SELECT relname || relrowsecurity || relforcerowsecurity FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
      ORDER BY 1`)
    return rows.map(({ definition }) => definition)
  } finally {
    await client.end()
  }
}

let before: string[]
let seeded: Seeded
beforeAll(async () => {
  installFakeChain()
  before = await readDefinitions()
  seeded = await fillDatabase(env.MIGRATE_DATABASE_URL!, { scale: 0.002 })
}, 120_000)

test('a seeded database has the keys, indexes, triggers and policies that it had before', async () => {
  expect(await readDefinitions()).toEqual(before)
})

test('the books of a seeded database agree', async () => {
  expect(await verifyBooks(systemContext('test'))).toEqual([])
  const db = systemClient()
  const counts = [
    await db.item.count(),
    await db.itemHistory.count(),
    await db.mintRequest.count(),
    await db.payment.count(),
  ]
  expect(Math.min(...counts)).toBeGreaterThan(100)
})

test('a seeded organization goes on: it makes an item, locks it, lists it and sends a claim', async () => {
  const api = callerOf(seeded.api_key)
  const { organization_id: organizationId } = seeded
  const collection = await systemClient().collection.findFirstOrThrow({
    where: { organizationId, name: 'Collection 1' },
  })
  const made = await api.post('/v1/items/bulk', {
    items: ['One', 'Two'].map((title) => ({ collection_id: collection.id, attributes: { title } })),
  })
  expect(made.status).toBe(201)
  const [listed, given] = made.body.item_ids
  expect((await api.post('/v1/items/lock', { item_ids: made.body.item_ids })).status).toBe(201)
  const listing = {
    item_id: listed,
    quantity_listed: 1,
    price: 0,
    currency: 'USD',
    payment_providers: ['BETA_FREE_MINT'],
  }
  expect((await api.post('/v1/listings', listing)).status).toBe(201)
  expect((await api.post('/v1/email-claims', { item_id: given, email: 'ada@example.com' })).status).toBe(201)
  expect(await verifyBooks(systemContext('test'))).toEqual([])
})

test('the link of a seeded claim opens it', async () => {
  const claim = await systemClient().emailClaim.findFirstOrThrow({
    where: { organizationId: seeded.organization_id, state: 'OPEN' },
  })
  const { body } = await callerOf(seeded.api_key).get(`/v1/email-claims/${claim.id}`)
  const token = body.claim_url.split('/').at(-1)
  expect((await callerOf(seeded.api_key).get(`/public/v1/email-claims/${token}`)).status).toBe(200)
})

/** How many items the planner expects that an organization sees. */
async function readExpectedItems(organizationId: string): Promise<number> {
  const client = new pg.Client({ connectionString: env.MIGRATE_DATABASE_URL })
  await client.connect()
  try {
    await client.query('BEGIN')
    await client.query('SET LOCAL ROLE vitrine_app')
    await client.query("SELECT set_config('vitrine.organization_id', $1, true)", [organizationId])
    const { rows } = await client.query('EXPLAIN (FORMAT JSON) SELECT id FROM items')
    return rows[0]['QUERY PLAN'][0].Plan['Plan Rows']
  } finally {
    await client.end()
  }
}

test('the planner knows a big organization from a small one, through row-level security', async () => {
  const db = systemClient()
  for (const organizationId of [seeded.organization_id, seeded.small_organization_id]) {
    const items = await db.item.count({ where: { organizationId } })
    const expected = await readExpectedItems(organizationId)
    expect(Math.max(expected, items) / Math.min(expected, items)).toBeLessThan(3)
  }
})

test('a revealed collection of the seed shows its proof', async () => {
  const { id } = await systemClient().collection.findFirstOrThrow({
    where: { organizationId: seeded.organization_id, revealedAt: { not: null } },
  })
  const { body } = await callerOf().get(`/public/v1/collections/${id}/reveal`)
  expect(body).toMatchObject({ algorithm: 'vitrine-reveal-1', seed: expect.stringMatching(/^[0-9a-f]{64}$/) as string })
  expect(body.tokens.length).toBeGreaterThan(0)
})

test('a database with something LIVE isn’t filled', async () => {
  await systemClient().paymentIntegration.create({
    data: { id: newId(), organizationId: seeded.organization_id, mode: 'LIVE', adapter: 'STRIPE' },
  })
  await expect(fillDatabase(env.MIGRATE_DATABASE_URL!, { scale: 0.002 })).rejects.toThrow('LIVE')
})
