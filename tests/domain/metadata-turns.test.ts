import { encodeAbiParameters, type Hex } from 'viem'
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { markMetadata } from '../../lib/catalog/items/mark-metadata.ts'
import { leaseMetadata } from '../../lib/catalog/items/lease-metadata.ts'
import { openMetadataReader } from '../../lib/catalog/items/read-foreign-metadata.ts'
import { ALL_TOKENS, requestMetadata } from '../../lib/catalog/items/request-metadata.ts'
import { resetClock } from '../../lib/core/clock.ts'
import { systemClient } from '../../lib/db/client.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { CallReverted } from '../../lib/ports/chain/chain.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { asOwner } from '../support/as-owner.ts'
import { makeCollection } from '../support/chain-logs.ts'
import { installFakeChain } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { readStatistic } from '../support/statistics.ts'
import { leaveDisagreements } from '../support/verify-file.ts'

leaveDisagreements('Thousands of tokens are written past the triggers.')

const worker = () => systemContext('test')
let big: TestOrganization
let small: TestOrganization
beforeAll(() => installFakeChain())
beforeEach(async () => {
  resetClock()
  await asOwner(`
    SET session_replication_role = replica;
    UPDATE items SET metadata_due_at = NULL WHERE metadata_due_at IS NOT NULL;
    DELETE FROM metadata_passes`)
  big = await makeOrganization()
  small = await makeOrganization()
})

/** A connected contract with the tokens 1 to `count`; their metadata is due, or was read a day ago. */
async function makeForeign(organization: TestOrganization, count: number, { due = true } = {}): Promise<string> {
  const { id } = await makeCollection(organization, { items: 0 })
  await systemClient().collection.update({ where: { id }, data: { deploymentType: 'EXTERNAL' } })
  await asOwner(`
    SET session_replication_role = replica;
    INSERT INTO items (id, organization_id, collection_id, attributes, token_id, locked_at, metadata_due_at, metadata_read_at, updated_at)
    SELECT gen_random_uuid(), '${organization.id}', '${id}', '{}', n::text, now(), ${due ? `now() - interval '1 hour'` : 'NULL'}, now() - interval '1 day', now()
    FROM generate_series(1, ${count}) n;
    ${count > 1 ? 'ANALYZE items' : ''}`)
  return id
}

const lease = (max: number, busy = new Map<string, number>()) => leaseMetadata(worker(), { max, busy })
const countOf = (tokens: readonly { organizationId: string }[], { id }: TestOrganization) =>
  tokens.filter(({ organizationId }) => organizationId === id).length
const dueOf = (collectionId: string) =>
  systemClient().item.count({ where: { collectionId, metadataDueAt: { not: null } } })

test('tokens of organizations are read in turn, and few of one at once, however many wait', async () => {
  await makeForeign(big, 500)
  await makeForeign(small, 3)
  const first = await lease(6)
  expect([countOf(first, big), countOf(first, small)]).toEqual([3, 3])
  const busy = new Map([[big.id, 3]])
  const second = await lease(20, busy)
  expect([countOf(second, big), countOf(second, small)]).toEqual([1, 0])
  expect(await lease(20, new Map([[big.id, 4]]))).toEqual([])
})

test('an organization whose contract hangs leaves room for another’s', async () => {
  await makeForeign(big, 30)
  await makeForeign(small, 1)
  const { chains } = ports()
  const mayEnd = Promise.withResolvers<void>()
  onTestFinished(() => {
    mayEnd.resolve()
    replacePorts({ chains })
  })
  const asked: number[] = []
  const slow = {
    ...chains.get(31337)!,
    atOneNode: async () => {
      asked.push(asked.length)
      await mayEnd.promise
      throw new Error('It answers nothing.')
    },
  }
  replacePorts({ chains: new Map([[31337, slow]]) })
  const reader = openMetadataReader(worker)
  expect(await reader.begin()).toBe(5)
  expect(await reader.begin()).toBe(0)
  await makeForeign(small, 1)
  expect(await reader.begin()).toBe(1)
  mayEnd.resolve()
  await reader.idle()
  expect(asked).toHaveLength(6)
})

test('tokens whose contract reverts, or returns nonsense, leave another organization’s read in the same pass', async () => {
  const [reverting, odd, good] = [await makeForeign(big, 1), await makeForeign(big, 1), await makeForeign(small, 1)]
  const rows = await systemClient().collection.findMany({ where: { id: { in: [reverting, odd] } } })
  const contractOf = (id: string) => rows.find((row) => row.id === id)!.contractAddress
  const { chains } = ports()
  onTestFinished(() => replacePorts({ chains }))
  const chain = chains.get(31337)!
  const node = {
    ...chain,
    name: 'fake',
    read: ({ to }: { to: string }) =>
      to === contractOf(reverting)
        ? Promise.reject(new CallReverted('No.', null))
        : Promise.resolve<Hex>(
            to === contractOf(odd)
              ? '0x1234'
              : encodeAbiParameters([{ type: 'string' }], ['data:application/json,{"name":"Rose"}']),
          ),
  }
  replacePorts({ chains: new Map([[31337, { ...chain, atOneNode: (work) => work(node) }]]) })
  const reader = openMetadataReader(worker)
  expect(await reader.begin()).toBe(3)
  await reader.idle()
  expect([await dueOf(reverting), await dueOf(odd), await dueOf(good)]).toEqual([1, 1, 0])
})

test('what a lease reads doesn’t grow with what waits', async () => {
  await makeForeign(big, 20_000)
  await makeForeign(small, 1)
  const scanned = () =>
    readStatistic(`SELECT seq_tup_read + idx_tup_fetch AS value FROM pg_stat_user_tables WHERE relname = 'items'`)
  const before = await scanned()
  expect(await lease(20)).toHaveLength(5)
  expect((await scanned()) - before).toBeLessThan(2_000)
})

test('passes of one organization’s many contracts leave another’s step in the first round', async () => {
  const many = await Promise.all(Array.from({ length: 30 }, () => makeForeign(big, 1, { due: false })))
  for (const collectionId of many) await requestMetadata(worker(), [{ collectionId, ...ALL_TOKENS }])
  const other = await makeForeign(small, 700, { due: false })
  await requestMetadata(worker(), [{ collectionId: other, ...ALL_TOKENS }])
  await markMetadata(worker())
  expect(await dueOf(other)).toBe(500)
  await markMetadata(worker())
  expect(await dueOf(other)).toBe(700)
})

test('a range marks its own tokens, and many single tokens become one range', async () => {
  const id = await makeForeign(big, 3_000, { due: false })
  await requestMetadata(worker(), [{ collectionId: id, from: 1_000n, to: 1_999n }])
  while ((await markMetadata(worker())) > 0);
  expect(await dueOf(id)).toBe(1_000)
  const other = await makeForeign(small, 3_000, { due: false })
  for (let from = 1n; from <= 2_401n; from += 800n)
    await requestMetadata(
      worker(),
      Array.from({ length: 400 }, (_, at) => ({ collectionId: other, from: from + BigInt(at), to: from + BigInt(at) })),
    )
  const [pass] = await systemClient().metadataPass.findMany({ where: { collectionId: other } })
  expect(pass!.tokenIds.length).toBeLessThanOrEqual(1_000)
  while ((await markMetadata(worker())) > 0);
  expect(await dueOf(other)).toBeGreaterThanOrEqual(1_600)
  await requestMetadata(worker(), [{ collectionId: other, from: 9n, to: 3n }])
})

test('what is asked for while a step is taken is kept for the next one', async () => {
  const id = await makeForeign(big, 10, { due: false })
  await requestMetadata(worker(), [{ collectionId: id, from: 1n, to: 1n }])
  await Promise.all([
    markMetadata(worker()),
    ...Array.from({ length: 9 }, (_, at) =>
      requestMetadata(worker(), [{ collectionId: id, from: BigInt(at + 2), to: BigInt(at + 2) }]),
    ),
  ])
  while ((await markMetadata(worker())) > 0);
  expect(await dueOf(id)).toBe(10)
})
