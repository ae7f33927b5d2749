import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeAll, expect, test } from 'vitest'
import { exportClaims } from '../../lib/data/exports/export-claims.ts'
import { exportHolders } from '../../lib/data/exports/export-holders.ts'
import { exportItems } from '../../lib/data/exports/export-items.ts'
import { exportPurchases } from '../../lib/data/exports/export-purchases.ts'
import { systemClient } from '../../lib/db/client.ts'
import { installFakeChain, makeItem } from '../support/claims.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeRows } from '../support/rows.ts'

const ITEMS = 50_000

let mine: TestOrganization
let collectionId: string

beforeAll(async () => {
  installFakeChain()
  mine = await makeOrganization()
  ;({ collectionId } = await makeItem(mine))
  await systemClient().$executeRaw`
    INSERT INTO items (id, organization_id, collection_id, attributes, updated_at)
    SELECT gen_random_uuid(), ${mine.id}::uuid, ${collectionId}::uuid,
      jsonb_build_object('title', 'Bird ' || n, 'description', repeat('A bird of the north. ', 10), 'color', n % 7), now()
    FROM generate_series(2, ${ITEMS}) n`
  await systemClient().$executeRaw`
    INSERT INTO item_owners (organization_id, item_id, address, quantity)
    SELECT organization_id, id, '0x' || substr(md5(id::text), 1, 40), 1 FROM items WHERE organization_id = ${mine.id}::uuid`
})

setFlagsFromString('--expose_gc')
const collectGarbage = runInNewContext('gc') as () => void

function usedBytes(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Statements of exports whose transaction is open although nothing runs in it. */
const openTransactions = async (): Promise<number> => {
  const [row] = await systemClient().$queryRaw<{ open: number }[]>`
    SELECT count(*)::int AS open FROM pg_stat_activity
    WHERE datname = current_database() AND state = 'idle in transaction' AND xact_start < now() - interval '1 second'
      AND (query LIKE '%FROM items i%' OR query LIKE '%FROM item_owners o%')`
  return row!.open
}

test.each([
  ['items', () => exportItems(mine.ctx, { attribute: [] } as never), ITEMS],
  ['holders', () => exportHolders(mine.ctx, { collection_id: collectionId } as never), ITEMS],
] as const)(
  'the export of many %s takes no more memory at its end than at its beginning, and keeps no transaction open',
  async (_, begin, lines) => {
    let [pieces, ends, early] = [0, 0, 0]
    for await (const piece of begin()) {
      pieces++
      ends += piece.split('\r\n').length - 1
      if (pieces === 5) early = usedBytes()
      if (pieces % 10 === 0) expect(await openTransactions()).toBe(0)
    }
    expect(ends).toBe(lines + 1)
    expect(usedBytes() - early).toBeLessThan(8_000_000)
  },
)

test('a collection’s export has each owner once, in order, also where an item has more owners than a page', async () => {
  const other = await makeOrganization()
  const { collectionId: theirs } = await makeItem(other)
  await systemClient().$executeRaw`
    INSERT INTO items (id, organization_id, collection_id, attributes, updated_at)
    SELECT gen_random_uuid(), ${other.id}::uuid, ${theirs}::uuid, '{}', now() FROM generate_series(1, 4)`
  await systemClient().$executeRaw`
    INSERT INTO item_owners (organization_id, item_id, address, quantity)
    SELECT ${other.id}::uuid, id, '0x' || substr(md5(n::text), 1, 40), 1
    FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM items WHERE organization_id = ${other.id}::uuid) i
      CROSS JOIN LATERAL generate_series(1, CASE place WHEN 2 THEN 2500 WHEN 4 THEN 1000 ELSE 3 END) n`
  const expected = await systemClient().$queryRaw<{ line: string }[]>`
    SELECT address || ',1,' || item_id AS line FROM item_owners WHERE organization_id = ${other.id}::uuid ORDER BY item_id, address`
  let text = ''
  for await (const piece of exportHolders(other.ctx, { collection_id: theirs } as never)) text += piece
  const lines = text.trimEnd().split('\r\n').slice(1)
  expect(lines.map((line) => line.split(',').slice(0, 3).join(','))).toEqual(expected.map(({ line }) => line))
  expect(lines).toHaveLength(3_509)
})

test('the first piece of an export comes before items are looked at', async () => {
  const pieces = exportItems(mine.ctx, { attribute: [] } as never)
  const statements = await countStatements(async () => void (await pieces.next()))
  expect(statements).toBe(0)
  await pieces.return(undefined)
})

test('the last of many items that match a filter adds a column to their export, and one that doesn’t match adds none', async () => {
  const added = await systemClient().$executeRaw`
    UPDATE items SET attributes = attributes || jsonb_build_object('late', 1, 'title', 'Late') WHERE id = (SELECT max(id::text)::uuid FROM items WHERE collection_id = ${collectionId}::uuid)`
  expect(added).toBe(1)
  const columnsOf = async (query: object) => {
    const pieces = exportItems(mine.ctx, { attribute: [], ...query } as never)
    await pieces.next()
    const heading = String((await pieces.next()).value)
    await pieces.return(undefined)
    return heading.trimEnd().split(',').slice(1)
  }
  expect(await columnsOf({ token_status: 'NOT_MINTED' })).toEqual(['attributes.color', 'attributes.late'])
  expect(await columnsOf({ search: 'Bird' })).toEqual(['attributes.color'])
})

test('an export sends no statement for each claim or purchase', async () => {
  const { ctx, ...other } = await makeOrganization()
  const rows = await makeRows({ ctx, ...other })
  const copies = (table: string, id: string, more: string) =>
    systemClient().$executeRawUnsafe(
      `INSERT INTO ${table} SELECT (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid()${more}))).* FROM ${table} t, generate_series(1, 30) WHERE id = '${id}'`,
    )
  const statements = async (begin: () => AsyncGenerator<string>) => {
    const { result, roundTrips } = await countRoundTrips(async () => {
      let text = ''
      for await (const piece of begin()) text += piece
      return text
    })
    return { lines: result.split('\r\n').length - 2, sent: roundTrips.length }
  }
  const claims = () => statements(() => exportClaims(ctx, {} as never))
  const purchases = () => statements(() => exportPurchases(ctx, {} as never))
  const before = [await claims(), await purchases()]
  await copies('email_claims', rows.email_claim_id!, '')
  await copies('purchase_intents', rows.purchase_intent_id!, ", 'request_key', null, 'proof_hash', null")
  const after = [await claims(), await purchases()]
  expect(after.map(({ lines }, at) => lines - before[at]!.lines)).toEqual([30, 30])
  expect(after.map(({ sent }) => sent)).toEqual(before.map(({ sent }) => sent))
})

/** How often rows of items were read meanwhile, by this organization's export alone. */
async function countStatements(work: () => Promise<void>): Promise<number> {
  const { sql } = mine.ctx
  let sent = 0
  Object.assign(mine.ctx, { sql: (statement: never) => (sent++, sql(statement)) })
  await work()
  Object.assign(mine.ctx, { sql })
  return sent
}
