import { beforeAll, expect, test } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { DESCRIPTIVE_ATTRIBUTES, getCollectionStats } from '../../lib/catalog/collections/collection-stats.ts'
import { foldCollectionSums } from '../../lib/catalog/collections/fold-collection-sums.ts'
import { newId } from '../../lib/core/id.ts'
import { exportItems } from '../../lib/data/exports/export-items.ts'
import { verifyBooks } from '../../lib/data/reconciliation/verify-books.ts'
import { systemClient } from '../../lib/db/client.ts'
import type { Context } from '../../lib/platform/auth/context.ts'
import { authenticate, systemContext } from '../../lib/platform/auth/authenticate.ts'
import { asOwner } from '../support/as-owner.ts'
import { caller } from '../support/claims.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { leaveDisagreements } from '../support/verify-file.ts'

leaveDisagreements('Items are minted by hand, and sums made wrong to be found.')

const system = systemClient()
const { sql } = Prisma
const fold = () => foldCollectionSums(systemContext('test'))
const run = (statement: Prisma.Sql) => system.$executeRaw(statement)
let organization: TestOrganization
let anyone: Context

beforeAll(async () => {
  organization = await makeOrganization()
  anyone = await authenticate('anonymous', new Request('http://localhost'), {}, caller)
})

async function makeCollection(of = organization): Promise<string> {
  const id = newId()
  const contractAddress = `0x${id.replaceAll('-', '').padEnd(40, '0')}`
  await of.ctx.db.collection.create({
    data: {
      id,
      organizationId: of.id,
      name: id,
      isPublic: true,
      deploymentStatus: 'SUCCESS',
      deploymentType: 'PLATFORM',
      networkId: 31337,
      tokenType: 'ERC1155',
      contractAddress,
    },
  })
  return id
}

/** Items whose attributes are `attributes`, an SQL expression of their number `n`. */
const addItems = (collectionId: string, count: number, attributes: string, { locked = true, from = 0 } = {}) =>
  run(sql`
    INSERT INTO items (id, organization_id, collection_id, attributes, token_id, locked_at, updated_at)
    SELECT gen_random_uuid(), organization_id, id, ${Prisma.raw(attributes)}, CASE WHEN ${locked} THEN (${from}::int + n)::text END,
      CASE WHEN ${locked} THEN now() END, now()
    FROM collections, generate_series(1, ${count}::int) n WHERE id = ${collectionId}::uuid`)

/** The stats by reading all items and owners. */
async function countByHand(collectionId: string) {
  const [totals] = await system.$queryRaw<{ items: number; minted: bigint; owners: number }[]>(sql`
    SELECT count(*)::int AS items, coalesce(sum(minted), 0)::bigint AS minted,
      (SELECT count(DISTINCT o.address)::int FROM item_owners o JOIN items i ON i.id = o.item_id WHERE i.collection_id = ${collectionId}::uuid AND o.quantity > 0) AS owners
    FROM items WHERE collection_id = ${collectionId}::uuid AND locked_at IS NOT NULL`)
  const counted = await system.$queryRaw<{ name: string; value: string; items: number }[]>(sql`
    SELECT name, value, items FROM (
      SELECT a.key AS name, v.value, count(*)::int AS items, row_number() OVER (PARTITION BY a.key ORDER BY count(*) DESC, v.value) AS place
      FROM items i, jsonb_each(i.attributes) a, LATERAL (
        SELECT DISTINCT e #>> '{}' AS value FROM jsonb_path_query(a.value, '$[*]') e WHERE jsonb_typeof(e) IN ('string', 'number', 'boolean')) v
      WHERE i.collection_id = ${collectionId}::uuid AND i.locked_at IS NOT NULL AND a.key <> ALL(${[...DESCRIPTIVE_ATTRIBUTES]}::text[])
      GROUP BY 1, 2) counted
    WHERE place <= 1000 ORDER BY name, place`)
  return { ...totals, counted: counted.map(({ name, value, items }) => [name, value, items]) }
}

async function expectExact(collectionId: string) {
  const { attributes, ...totals } = await getCollectionStats(anyone, collectionId)
  const counted = Object.entries(attributes).flatMap(([name, values]) =>
    Object.entries(values).map(([value, items]) => [name, value, items]),
  )
  const expected = await countByHand(collectionId)
  // The order of an object's keys says nothing of those that are whole numbers.
  expect({ ...totals, counted: counted.sort() }).toEqual({ ...expected, counted: expected.counted.sort() })
}

const findMissing = async () => [
  ...(await system.$queryRaw<unknown[]>(
    sql`SELECT * FROM collection_sums_missing WHERE organization_id = ${organization.id}::uuid`,
  )),
  ...(await system.$queryRaw<unknown[]>(
    sql`SELECT * FROM collection_owners_missing WHERE organization_id = ${organization.id}::uuid`,
  )),
]

test('stats are what the items say after inserts, locks, changes, mints and deletes, folded or not', async () => {
  const id = await makeCollection()
  const of = (places: string) =>
    sql`id IN (SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM items WHERE collection_id = ${id}::uuid) i WHERE ${Prisma.raw(places)})`
  const kinds = `CASE n % 6
    WHEN 0 THEN '{"title": "T", "description": "D", "image_url": "u", "animation_url": "a", "external_url": "e", "colour": "red"}'
    WHEN 1 THEN '{"title": "T", "colour": "red", "tags": ["x", "y", "x", 1, true, null, {"deep": 1}, ["z"]], "none": null, "object": {"a": 1}}'
    WHEN 2 THEN '{"title": "T", "colour": "blue", "size": 1}'
    WHEN 3 THEN '{"title": "T", "colour": "", "size": 1.0}'
    WHEN 4 THEN '{"title": "T", "size": "1", "__proto": "p", "": "nameless"}'
    ELSE jsonb_build_object('title', 'T', 'story', repeat('é', 5000) || n)::text END::jsonb`
  const steps: Prisma.Sql[] = [
    sql`UPDATE items SET locked_at = now(), token_id = (100000 + abs(hashtext(id::text)))::text WHERE locked_at IS NULL AND ${of('n % 2 = 0')}`,
    sql`UPDATE items SET attributes = attributes || '{"colour": "green", "size": 1.0}' WHERE ${of('n < 30')}`,
    sql`UPDATE items SET attributes = attributes - 'tags' - 'story' WHERE ${of('n < 40')}`,
    sql`UPDATE items SET minted = minted + 3 WHERE locked_at IS NOT NULL AND ${of('n % 5 = 0')}`,
    sql`INSERT INTO item_owners (organization_id, item_id, address, quantity)
      SELECT organization_id, id, 'a' || abs(hashtext(id::text)) % 4, 1 FROM items WHERE collection_id = ${id}::uuid AND minted > 0`,
    sql`INSERT INTO item_owners AS o (organization_id, item_id, address, quantity)
      SELECT organization_id, id, 'a' || k, 1 FROM items, generate_series(0, 6) k WHERE collection_id = ${id}::uuid AND minted > 0
      ON CONFLICT (item_id, address) DO UPDATE SET quantity = o.quantity - 1`,
    sql`DELETE FROM item_owners WHERE quantity = 0 AND item_id IN (SELECT id FROM items WHERE collection_id = ${id}::uuid)`,
    sql`UPDATE item_owners SET quantity = -1 WHERE address = 'a1' AND item_id IN (SELECT id FROM items WHERE collection_id = ${id}::uuid)`,
    sql`DELETE FROM item_owners WHERE address IN ('a1', 'a5', 'a6') AND item_id IN (SELECT id FROM items WHERE collection_id = ${id}::uuid)`,
    sql`UPDATE items SET minted = minted - 1 WHERE minted > 0 AND ${of('n % 10 = 0')}`,
    sql`DELETE FROM items WHERE minted = 0 AND ${of('n % 3 = 0')}`,
  ]
  await addItems(id, 60, kinds)
  await addItems(id, 60, kinds, { locked: false })
  await expectExact(id)
  for (const [at, step] of steps.entries()) {
    expect(await run(step), `step ${at} changes rows`).toBeGreaterThan(0)
    await expectExact(id)
    if (at % 2 === 1) await fold()
    await expectExact(id)
    expect(await findMissing(), `step ${at}`).toEqual([])
  }
  await run(sql`DELETE FROM item_owners WHERE item_id IN (SELECT id FROM items WHERE collection_id = ${id}::uuid)`)
  await run(sql`DELETE FROM items WHERE collection_id = ${id}::uuid`)
  await fold()
  await fold()
  const left = sql`SELECT 1 FROM collection_sums WHERE collection_id = ${id}::uuid UNION ALL SELECT 1 FROM collection_owners WHERE collection_id = ${id}::uuid`
  expect(await system.$queryRaw(left), 'rows of sums of nothing').toEqual([])
})

test('of more than 1,000 values the most frequent ones are given, also those that just became it', async () => {
  const id = await makeCollection()
  await addItems(id, 2_400, `jsonb_build_object('serial', 'v' || CASE WHEN n <= 1500 THEN n ELSE n - 1500 END)`)
  await fold()
  await expectExact(id)
  await addItems(id, 3, `jsonb_build_object('serial', 'v1499')`, { from: 5_000 })
  await addItems(id, 1, `jsonb_build_object('serial', 'new')`, { from: 6_000 })
  await run(
    sql`UPDATE items SET attributes = '{"serial": "v1500"}' WHERE collection_id = ${id}::uuid AND token_id IN ('7', '1507')`,
  )
  const { attributes } = await getCollectionStats(anyone, id)
  expect(Object.keys(attributes.serial!)).toHaveLength(1_000)
  expect(attributes.serial).toMatchObject({ v1499: 4, v1500: 3 })
  expect(attributes.serial).not.toHaveProperty('v7')
  await expectExact(id)
  await fold()
  await expectExact(id)
})

test('sums are exact while many write to one collection and folds run at the same time', async () => {
  const id = await makeCollection()
  const write = async (n: number) => {
    await addItems(id, 5, `jsonb_build_object('colour', (ARRAY['red', 'blue', 'green'])[1 + n % 3])`, { from: n * 10 })
    await run(
      sql`UPDATE items SET attributes = '{"colour": "red"}', minted = 1 WHERE collection_id = ${id}::uuid AND token_id = ${String(n * 10 + 2)}`,
    )
    await run(sql`INSERT INTO item_owners (organization_id, item_id, address, quantity)
      SELECT organization_id, id, 'o' || ${n % 4}::int, 1 FROM items WHERE collection_id = ${id}::uuid AND token_id = ${String(n * 10 + 2)}`)
  }
  await Promise.all([...Array.from({ length: 24 }, (_, n) => write(n)), ...Array.from({ length: 4 }, fold)])
  await expectExact(id)
  await Promise.all([fold(), fold(), fold()])
  await expectExact(id)
  expect(await findMissing()).toEqual([])
  const [{ rows } = { rows: -1 }] = await system.$queryRaw<{ rows: number }[]>(
    sql`SELECT count(*)::int AS rows FROM collection_sums WHERE collection_id = ${id}::uuid`,
  )
  expect(rows, 'one row for each of three colours, mints, owners and names').toBe(6)
})

test('a transaction that fails leaves stats as they were', async () => {
  const id = await makeCollection()
  await addItems(id, 2, `'{"colour": "red"}'`)
  const undone = system.$transaction(async (tx) => {
    await tx.$executeRaw(
      sql`UPDATE items SET attributes = '{"colour": "blue"}', minted = 7 WHERE collection_id = ${id}::uuid`,
    )
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await getCollectionStats(anyone, id)).toMatchObject({ attributes: { colour: { red: 2 } }, minted: 0n })
})

test('stats read no item and no owner', async () => {
  const id = await makeCollection()
  const { roundTrips } = await countRoundTrips(() => getCollectionStats(anyone, id))
  expect(roundTrips.length).toBeGreaterThan(0)
  expect(roundTrips.filter((text) => /\b(FROM|JOIN) "?(public"?\."?)?(items|item_owners)\b/i.test(text))).toEqual([])
})

test('sums of unlocked items and of other organizations can’t be read', async () => {
  const id = await makeCollection()
  await addItems(id, 1, `'{"secret name": "secret"}'`, { locked: false })
  const read = sql`SELECT 1 FROM collection_sums WHERE collection_id = ${id}::uuid`
  expect(await organization.ctx.sql(read)).toHaveLength(1)
  expect(await anyone.sql(read)).toEqual([])
  const other = await makeOrganization()
  expect(await other.ctx.sql(read)).toEqual([])
  await addItems(id, 1, `'{"colour": "red"}'`)
  expect(await anyone.sql(sql`SELECT kind FROM collection_sums WHERE collection_id = ${id}::uuid`)).toEqual([
    { kind: 'trait' },
  ])
  expect(await other.ctx.sql(read)).toEqual([])
})

test('verify names sums that aren’t those of the items, and what the views say repairs them', async () => {
  const id = await makeCollection()
  const wrong = async () =>
    (await verifyBooks(systemContext('test'))).filter(
      ({ check, subject }) => check.startsWith('a collection’s') && subject.includes(id),
    )
  await asOwner(`
    SET session_replication_role = replica;
    INSERT INTO items (id, organization_id, collection_id, attributes, token_id, locked_at, minted, updated_at)
      SELECT gen_random_uuid(), '${organization.id}', '${id}', '{"colour": "red"}', n::text, now(), 1, now() FROM generate_series(1, 4) n;
    INSERT INTO item_owners (organization_id, item_id, address, quantity)
      SELECT organization_id, id, 'z', 1 FROM items WHERE collection_id = '${id}';`)
  expect((await wrong()).map(({ detail }) => detail).sort()).toEqual([
    'attributes: counted 4 too few with true, ["colour"]',
    'counted 4 items too few',
    'minted: counted 4 too few',
    'trait: counted 4 too few with colour, red',
  ])
  await run(sql`
    INSERT INTO collection_owners AS o (organization_id, collection_id, address, items)
    SELECT organization_id, collection_id, address, items FROM collection_owners_missing WHERE collection_id = ${id}::uuid
    ON CONFLICT (collection_id, address) DO UPDATE SET items = o.items + excluded.items`)
  await run(sql`
    INSERT INTO collection_sums (organization_id, collection_id, kind, name, value, amount)
    SELECT organization_id, collection_id, kind, name, value, amount FROM collection_sums_missing WHERE collection_id = ${id}::uuid`)
  expect(await wrong()).toEqual([])
  expect(await getCollectionStats(anyone, id)).toMatchObject({
    attributes: { colour: { red: 4 } },
    minted: 4n,
    owners: 1,
  })
})

test('an export has the columns of the items that match, and reads no items for them unless filters ask for it', async () => {
  const of = await makeOrganization()
  const [first, second] = [await makeCollection(of), await makeCollection(of)]
  await addItems(first, 3, `'{"title": "A", "b": 1, "a": 2}'`)
  await addItems(first, 3, `'{"title": "B", "only unlocked": 1}'`, { locked: false })
  await addItems(second, 3, `'{"title": "C", "c": 3}'`)
  const columns = async (query: object) => {
    const { result, roundTrips } = await countRoundTrips(async () => {
      const pieces = exportItems(of.ctx, { attribute: [], ...query } as never)
      const heading = [(await pieces.next()).value, (await pieces.next()).value].join('').trimEnd()
      await pieces.return(undefined)
      return heading.split(',').slice(14)
    })
    return [result, roundTrips.some((text) => text.includes('FROM items'))]
  }
  const all = ['attributes.a', 'attributes.b', 'attributes.c', 'attributes.only unlocked']
  expect(await columns({})).toEqual([all, false])
  expect(await columns({ collection_id: first, locked: 'true' })).toEqual([['attributes.a', 'attributes.b'], false])
  expect(await columns({ locked: 'false' })).toEqual([['attributes.only unlocked'], false])
  expect(await columns({ search: 'C' })).toEqual([['attributes.c'], true])
  expect(await columns({ from: new Date(of.ctx.now().getTime() + 1e9) })).toEqual([[], true])
  await run(sql`UPDATE items SET attributes = '{"title": "C", "d": 3}' WHERE collection_id = ${second}::uuid`)
  await run(sql`DELETE FROM items WHERE collection_id = ${first}::uuid AND locked_at IS NULL`)
  expect(await columns({})).toEqual([['attributes.a', 'attributes.b', 'attributes.d'], false])
})
