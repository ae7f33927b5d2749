import { beforeAll, expect, test } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { authenticate, systemContext } from '../../lib/platform/auth/authenticate.ts'
import { secondsFrom } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { listItems, listPublicItems } from '../../lib/catalog/items/list-items.ts'
import { countClaims } from '../../lib/giving/count-claims.ts'
import { listClaims } from '../../lib/giving/list-claims.ts'
import { listListings, listPublicListings } from '../../lib/offers/listings/list-listings.ts'
import { listPurchases } from '../../lib/selling/purchases/list-purchases.ts'
import { listTransactions } from '../../lib/onchain/transactions/list-transactions.ts'
import { listAuditEntries } from '../../lib/records/audit/list-audit-entries.ts'
import { recordAudits } from '../../lib/records/audit/record-audit.ts'
import { foldCounts } from '../../lib/records/counts/fold-counts.ts'
import { verifyBooks } from '../../lib/data/reconciliation/verify-books.ts'
import { asOwner } from '../support/as-owner.ts'
import { caller } from '../support/claims.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeRows } from '../support/rows.ts'

const system = systemClient()
const worker = systemContext('test')
const { sql } = Prisma
const page = { limit: 1 }
let organization: TestOrganization
let rows: Record<string, string>

beforeAll(async () => {
  organization = await makeOrganization()
  rows = await makeRows(organization)
})

/** Items made by SQL, as many as `count`; locked if `locked`. */
const addItems = (collectionId: string, count: number, { locked = false, from = 1000 } = {}) =>
  system.$executeRaw(sql`
    INSERT INTO items (id, organization_id, collection_id, attributes, token_id, locked_at, max_supply, updated_at)
    SELECT gen_random_uuid(), organization_id, id, jsonb_build_object('title', 'Item ' || n, 'Colour', CASE WHEN n % 2 = 0 THEN 'red' ELSE 'blue' END),
      CASE WHEN ${locked} THEN (${from} + n)::text END, CASE WHEN ${locked} THEN now() END, 1, now()
    FROM collections, generate_series(1, ${count}::int) n WHERE id = ${collectionId}::uuid`)

const makeCollection = async (of: TestOrganization, isPublic = true): Promise<string> => {
  const { id } = await of.ctx.db.collection.create({
    data: {
      id: newId(),
      organizationId: of.id,
      name: newId(),
      isPublic,
      deploymentStatus: 'SUCCESS',
      deploymentType: 'PLATFORM',
      networkId: 31337,
      tokenType: 'ERC721',
      contractAddress: `0x${newId().replaceAll('-', '').padEnd(40, '0')}`,
    },
  })
  return id
}

const findMissing = () =>
  system.$queryRaw(sql`SELECT * FROM row_counts_missing WHERE organization_id = ${organization.id}::uuid`)

test('totals follow rows that are written, changed and deleted by any statement', async () => {
  const { ctx } = organization
  const collectionId = await makeCollection(organization)
  await addItems(collectionId, 30)
  const total = async (filter: object) =>
    (await listItems(ctx, { ...page, attribute: [], collection_id: collectionId, ...filter })).total_results
  expect([await total({}), await total({ locked: 'true' })]).toEqual([30, 0])
  await system.$executeRaw(sql`UPDATE items SET locked_at = now(), token_id = (abs(hashtext(id::text)) + 5000)::text
    WHERE id IN (SELECT id FROM items WHERE collection_id = ${collectionId}::uuid LIMIT 12)`)
  expect([await total({ locked: 'true' }), await total({ locked: 'false' })]).toEqual([12, 18])
  await system.$executeRaw(sql`UPDATE items SET minted = 1 WHERE id IN (
    SELECT id FROM items WHERE collection_id = ${collectionId}::uuid AND locked_at IS NOT NULL LIMIT 5)`)
  expect([
    await total({ token_status: 'MINTED' }),
    await total({ locked: 'true', token_status: 'NOT_MINTED' }),
  ]).toEqual([5, 7])
  await system.$executeRaw(sql`DELETE FROM items WHERE collection_id = ${collectionId}::uuid AND locked_at IS NULL`)
  expect([await total({}), await total({ locked: 'false' })]).toEqual([12, 0])
  expect(await findMissing()).toEqual([])
})

test('a transaction that fails leaves the total as it was, and its own reads see its rows', async () => {
  const { ctx } = organization
  const before = (await listAuditEntries(ctx, { ...page, action: 'test.' })).total_results
  const undone = ctx.transaction(async (reach) => {
    const tx = { ...ctx, ...reach }
    await recordAudits(
      tx,
      [1, 2, 3].map(() => ({ action: 'test.undone', subject: { type: 'test', id: newId() } })),
    )
    expect((await listAuditEntries(tx, { ...page, action: 'test.' })).total_results).toBe(before + 3)
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect((await listAuditEntries(ctx, { ...page, action: 'test.' })).total_results).toBe(before)
})

test('totals are exact while many write and counts are folded', async () => {
  const { ctx } = organization
  const write = (n: number) =>
    recordAudits(
      ctx,
      Array.from({ length: 5 }, () => ({ action: `burst.${n % 3}`, subject: { type: 'test', id: newId() } })),
    )
  await Promise.all([
    ...Array.from({ length: 30 }, (_, n) => write(n)),
    ...Array.from({ length: 4 }, () => foldCounts(worker)),
  ])
  await foldCounts(worker)
  expect((await listAuditEntries(ctx, { ...page, action: 'burst.' })).total_results).toBe(150)
  expect((await listAuditEntries(ctx, { ...page, action: 'burst.1' })).total_results).toBe(50)
  expect(await findMissing()).toEqual([])
  const [{ left } = { left: -1 }] = await ctx.sql<{ left: number }>(
    sql`SELECT count(*)::int AS left FROM row_counts WHERE table_name = 'audit_entries' AND traits[3] = 'burst.1'`,
  )
  expect(left).toBeLessThanOrEqual(4) // Folds at the same moment leave a sum each.
})

test('actors that are as many as claims and purchases add no rows to add up, and are counted all the same', async () => {
  const { ctx } = organization
  const actors = Array.from({ length: 20 }, () => newId())
  for (const id of actors)
    await recordAudits({ ...ctx, actor: { type: 'purchase', id } }, [
      { action: 'actor.test', subject: { type: 'test', id: newId() } },
    ])
  await foldCounts(worker)
  const [{ sums } = { sums: -1 }] = await ctx.sql<{ sums: number }>(
    sql`SELECT count(*)::int AS sums FROM row_counts WHERE table_name = 'audit_entries' AND traits[3] = 'actor.test'`,
  )
  expect(sums).toBe(1)
  const total = async (query: object) => (await listAuditEntries(ctx, { ...page, ...query })).total_results
  expect(await total({ action: 'actor.' })).toBe(20)
  expect(await total({ actor_type: 'purchase', actor_id: actors[0] })).toBe(1)
  expect(await total({ actor_id: newId() })).toBe(0)
})

test('claims that have expired unmarked count as expired', async () => {
  const { ctx } = organization
  const collectionId = await makeCollection(organization)
  await addItems(collectionId, 1, { locked: true })
  const { id: itemId } = await ctx.db.item.findFirstOrThrow({ where: { collectionId } })
  const states = ['OPEN', 'OPEN', 'LOCKED', 'LOCKED', 'REDEEMED', 'CLAIMED', 'REVOKED', 'EXPIRED', 'OPEN'] as const
  await ctx.db.emailClaim.createMany({
    data: states.map((state, at) => ({
      id: newId(),
      organizationId: organization.id,
      collectionId,
      itemId,
      email: `ada${at}@example.com`,
      quantity: 1n,
      txPayer: 'SELLER' as const,
      state,
      expiresAt: at % 2 === 0 ? null : secondsFrom(ctx.now(), -60),
    })),
  })
  const filters = [
    ...(['ACTIVE', 'CLAIMED', 'REVOKED', 'LOCKED', 'EXPIRED'] as const).map((state) => ({ state })),
    ...(['true', 'false'] as const).flatMap((flag) => [{ active: flag }, { claimed: flag }]),
    { active: 'false' as const, state: 'EXPIRED' as const },
    {},
  ]
  for (const filter of filters) {
    const listed = await listClaims(ctx, { limit: 100, collection_id: collectionId, ...filter })
    expect(listed.total_results, JSON.stringify(filter)).toBe(listed.results.length)
  }
  // Alone they are answered from the counters, which are exact however many claims there are.
  for (const filter of filters.slice(0, 9)) {
    const { roundTrips } = await countRoundTrips(() => countClaims(ctx, filter))
    expect(roundTrips.join(), JSON.stringify(filter)).toContain('FROM row_counts')
  }
  // A claim that is redeemed between two statements would be on the page twice, or not at all.
  const { roundTrips } = await countRoundTrips(() => listClaims(ctx, { ...page, active: 'false' }))
  const ofStates = roundTrips.filter((text) => /state = '(REVOKED|EXPIRED|LOCKED)'/.test(text))
  expect(ofStates).toHaveLength(1)
})

test('the total of a list equals the rows that its pages have', async () => {
  const { ctx } = organization
  const all = { ...page, limit: 100 }
  const pages = [
    await listPurchases(ctx, { ...all, collection_id: rows.collection_id }),
    await listPurchases(ctx, { ...all, listing_id: rows.listing_id, status: 'PENDING' }),
    await listPurchases(ctx, { ...all, status: 'REFUNDED' }),
    await listPurchases(ctx, { ...all, payment_provider: 'ORGANIZATION', fulfillment_method: 'TRANSFER' }),
    await listTransactions(ctx, { ...all, network_id: 31337, tx_type: 'ADMIN_MINT' }),
    await listTransactions(ctx, { ...all, network_id: 1 }),
    await listAuditEntries(ctx, { ...all, actor_type: 'purchase' }),
  ]
  expect(pages.map(({ total_results }) => total_results)).toEqual(pages.map(({ results }) => results.length))
  expect(pages.map(({ total_is_estimate }) => total_is_estimate)).toEqual(pages.map(() => undefined))
})

test('10,000 matches of an attribute are counted, more are estimated and marked', async () => {
  const other = await makeOrganization()
  const collectionId = await makeCollection(other)
  await addItems(collectionId, 20_000)
  await asOwner('ANALYZE items')
  const list = () => listItems(other.ctx, { ...page, attribute: ['Colour:red'] })
  expect(await list()).toMatchObject({ total_results: 10_000 })
  expect(await list()).not.toHaveProperty('total_is_estimate')
  await addItems(collectionId, 4_000)
  expect((await listItems(other.ctx, { ...page, attribute: ['Colour:green'] })).total_results).toBe(0)
  const [first] = (await listItems(other.ctx, { ...page, attribute: ['title:Item 77', 'Colour:blue'] })).results
  expect(first!.attributes).toMatchObject({ title: 'Item 77' })
  const { total_results, total_is_estimate } = await list()
  expect(total_is_estimate).toBe(true)
  expect(Math.abs(total_results - 12_000)).toBeLessThan(1_999)
  expect((await listItems(other.ctx, { ...page, attribute: [] })).total_results).toBe(24_000)

  const asked: string[] = []
  const watched: typeof other.ctx = {
    ...other.ctx,
    sql: (statement) => {
      asked.push(statement.sql)
      return other.ctx.sql(statement)
    },
  }
  const many = Array.from({ length: 200 }, (_, n) => `Colour:${['red', 'blue', `shade ${n}`][n % 3]}`)
  expect((await listItems(watched, { ...page, attribute: many })).total_results).toBe(0)
  expect(Math.max(...asked.map((text) => text.split('items_found').length - 1)), 'index scans in one request').toBe(1)
})

test('what many items have, but none of the newer ones, is listed without walking the newer ones', async () => {
  const other = await makeOrganization()
  const collectionId = await makeCollection(other)
  await system.$executeRaw(sql`
    INSERT INTO items (id, organization_id, collection_id, attributes, max_supply, updated_at)
    SELECT uuidv7(n * interval '1 minute'), organization_id, id, jsonb_build_object('title', 'Item ' || n, 'Age', CASE WHEN n <= 10500 THEN 'old' ELSE 'new' END), 1, now()
    FROM collections, generate_series(1, 26000) n WHERE id = ${collectionId}::uuid`)
  await asOwner('ANALYZE items')
  const query = { limit: 2, attribute: ['Age:old'] }
  const { result, roundTrips } = await countRoundTrips(() => listItems(other.ctx, query))
  expect(result.results.map(({ attributes }) => attributes.title)).toEqual(['Item 10500', 'Item 10499'])
  expect(result.total_is_estimate).toBe(true)
  expect(roundTrips.filter((text) => text.includes('items_found'))).toHaveLength(1)
  expect(roundTrips.filter((text) => text.includes('OFFSET 0'))).toEqual([])
  const { results } = await listItems(other.ctx, { ...query, cursor: result.cursor })
  expect(results.map(({ attributes }) => attributes.title)).toEqual(['Item 10498', 'Item 10497'])
})

test('a part of a title is found among many items as it is written, in any case, and in no other organization', async () => {
  const [many, other] = [await makeOrganization(), await makeOrganization()]
  const [collectionId, theirs] = [await makeCollection(many), await makeCollection(other)]
  await addItems(collectionId, 10_500)
  await addItems(theirs, 10_500)
  const titles = [
    '50% off_now',
    'a\\b',
    'Łódź',
    '日本語の花',
    'Zz',
    'q',
    'İstanbul',
    'Straße 1',
    '𝒳 😀!',
    "O'Neil",
    'tab\tline\nend',
    '\u0001x',
  ]
  await system.$executeRaw(sql`
    INSERT INTO items (id, organization_id, collection_id, attributes, max_supply, updated_at)
    SELECT gen_random_uuid(), organization_id, id, jsonb_build_object('title', title), 1, now() FROM collections, unnest(${titles}::text[]) title WHERE id = ${collectionId}::uuid`)
  await asOwner('ANALYZE items')
  const idsOf = async (search: string, filter: object = {}) => {
    const query = { limit: 100, attribute: [], search, ...filter }
    const { results, total_results } = await listItems(many.ctx, query)
    return { ids: results.map(({ id }) => id), total_results }
  }
  const expected = async (search: string) =>
    (
      await system.$queryRaw<{ id: string }[]>(sql`
        SELECT id::text FROM items WHERE organization_id = ${many.id}::uuid AND position(search_form(${search}) IN search_form(attributes->>'title')) > 0 ORDER BY id DESC`)
    ).map(({ id }) => id)
  const parts = [
    '%',
    '_',
    'F_N',
    '\\',
    'łó',
    '本語',
    '日本語の花',
    'zZ',
    'Q',
    'stanbul',
    'SSE',
    'ß',
    '😀',
    '’',
    "'n",
    '\t',
    'b\tl',
    '\u0001',
    'm 1049',
    'tem 777',
    'nowhere',
  ]
  for (const part of parts) {
    const all = await expected(part)
    expect([part, await idsOf(part)]).toEqual([part, { ids: all.slice(0, 100), total_results: all.length }])
  }
  const colour = { attribute: ['Colour:red'] }
  expect(await idsOf('tem 777', colour)).toMatchObject({ total_results: 5 })
  expect(await idsOf('tem 777', { locked: 'true' })).toEqual({ ids: [], total_results: 0 })
  const { results } = await listItems(other.ctx, { limit: 100, attribute: [], search: 'Zz' })
  expect(results).toEqual([])
})

test('an organization’s totals hold nothing of another’s', async () => {
  const other = await makeOrganization()
  expect((await listItems(other.ctx, { ...page, attribute: [] })).total_results).toBe(0)
  expect(await other.ctx.sql(sql`SELECT 1 FROM row_counts`)).toEqual([])
})

test('public totals leave out what isn’t locked, and private collections at once', async () => {
  const other = await makeOrganization()
  const [shown, hidden] = [await makeCollection(other), await makeCollection(other, false)]
  await addItems(shown, 7, { locked: true })
  await addItems(shown, 4)
  await addItems(hidden, 9, { locked: true })
  const anyone = await authenticate('anonymous', new Request('http://localhost'), {}, caller)
  const total = async (query: object) =>
    (
      await listPublicItems(anyone, {
        ...page,
        collection_ids: [],
        network_ids: [],
        token_ids: [],
        attributes: [],
        organization_id: other.id,
        ...query,
      })
    ).total_results
  expect([await total({}), await total({ collection_ids: [hidden] }), await total({ network_ids: [1] })]).toEqual([
    7, 0, 0,
  ])
  expect(await total({ collection_ids: [shown], organization_id: null })).toBe(7)
  await system.$executeRaw(sql`UPDATE collections SET is_public = false WHERE id = ${shown}::uuid`)
  expect(await total({})).toBe(0)
})

test('totals of listings follow their status, and the public ones leave out drafts and what isn’t deployed', async () => {
  const other = await makeOrganization()
  const { listing_id, collection_id } = await makeRows(other)
  await asOwner(`INSERT INTO listings SELECT l.* FROM (SELECT * FROM listings WHERE id = '${listing_id}') o, generate_series(1, 8) n,
    LATERAL jsonb_populate_record(NULL::listings, to_jsonb(o) || jsonb_build_object('id', uuidv7(), 'item_id', NULL, 'status', CASE WHEN n < 4 THEN 'DRAFT' ELSE 'CANCELLED' END)) l`)
  const anyone = await authenticate('anonymous', new Request('http://localhost'), {}, caller)
  const shown = async () => {
    const query = { limit: 100, organization_id: other.id }
    const all = await listPublicListings(anyone, query)
    const ofCollection = await listPublicListings(anyone, { ...query, collection_id })
    expect(ofCollection.total_results).toBe(all.results.length)
    return [all.total_results, all.results.length]
  }
  const own = async (query: object) => (await listListings(other.ctx, { ...page, ...query })).total_results
  expect([await own({}), await own({ status: 'DRAFT' }), await own({ status: 'CANCELLED' })]).toEqual([9, 3, 5])
  expect(await shown()).toEqual([6, 6])
  await asOwner(`UPDATE listings SET status = 'CANCELLED' WHERE organization_id = '${other.id}' AND status = 'DRAFT'`)
  expect([await own({}), await own({ status: 'DRAFT' }), await own({ status: 'CANCELLED' })]).toEqual([9, 0, 8])
  expect(await shown()).toEqual([9, 9])
  const counts = () => system.$queryRaw(sql`SELECT count(*) FROM row_counts WHERE organization_id = ${other.id}::uuid`)
  const before = await counts()
  await asOwner(
    `UPDATE listings SET quantity_open = quantity_open, updated_at = now() WHERE organization_id = '${other.id}'`,
  )
  expect(await counts()).toEqual(before)
  await asOwner(`DELETE FROM listings WHERE organization_id = '${other.id}' AND id <> '${listing_id}'`)
  expect(await shown()).toEqual([1, 1])
  await asOwner(`UPDATE collections SET deployment_status = 'PENDING' WHERE id = '${collection_id}'`)
  expect(await shown()).toEqual([0, 0])
  expect(
    await system.$queryRaw(sql`SELECT * FROM row_counts_missing WHERE organization_id = ${other.id}::uuid`),
  ).toEqual([])
})

test('verify names a total that isn’t the number of rows', async () => {
  await organization.ctx.sql(sql`
    INSERT INTO row_counts (organization_id, table_name, parent_id, traits, amount)
    VALUES (${organization.id}::uuid, 'items', ${rows.collection_id}::uuid, '{true,NOT_MINTED}', 3)`)
  const wrong = async () => (await verifyBooks(worker)).filter(({ check }) => check.includes('total'))
  expect(await wrong()).toEqual([
    expect.objectContaining({
      subject: `items of ${rows.collection_id}`,
      detail: expect.stringContaining('-3') as string,
    }),
  ])
  await system.$executeRaw(sql`INSERT INTO row_counts (organization_id, table_name, parent_id, traits, amount)
    SELECT organization_id, table_name, parent_id, traits, amount FROM row_counts_missing`)
  expect(await wrong()).toEqual([])
})
