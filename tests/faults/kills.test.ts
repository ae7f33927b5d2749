import pg from 'pg'
import { beforeAll, expect, test, vi } from 'vitest'
import { parseAbiItem, type Address, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { CrashPoint } from '../../lib/core/crash.ts'
import { isConsecutiveBatch } from '../../lib/onchain/transactions/prepare-transaction.ts'
import { callerOf } from '../support/call.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeCollection, makeItems } from '../support/collections.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { until } from '../support/until.ts'
import { spawnWorker } from '../support/worker.ts'

let testChain: TestChain
let organization: TestOrganization

// Each worker process takes its time to start on a busy machine.
vi.setConfig({ testTimeout: 240_000 })

const fresh = (): Address => privateKeyToAccount(generatePrivateKey()).address
const TO = fresh()
const caller = () => callerOf(organization.key)

beforeAll(async () => {
  testChain = await startChain({ blockTime: 1 })
  organization = await makeOrganization()
})

const transferEvent = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 indexed id)')
const mintsOf = (contract: Address) =>
  testChain.client.getLogs({ address: contract, event: transferEvent, fromBlock: 0n })

async function requestCollection(): Promise<string> {
  return makeCollection(caller(), {
    deployment_request: { network_id: 31337, platform: { symbol: 'TEST', variant: 'ERC721' } },
  })
}

const deployed = (collectionId: string) =>
  until('The deployment', async () => {
    const row = await organization.ctx.db.collection.findFirstOrThrow({ where: { id: collectionId } })
    return row.deploymentStatus === 'SUCCESS' && (row.contractAddress as Address)
  })

/** All items of a collection, to fresh addresses, in one batch. */
async function orderMints(collectionId: string, count: number): Promise<string> {
  const item_ids = await makeItems(caller(), collectionId, count)
  const { status, body } = await caller().post('/v1/mint-requests', { item_ids, to_addresses: item_ids.map(fresh) })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.mint_requests[0].transaction_id as string
}

const completed = (id: string) =>
  until('The mint', async () => (await caller().get(`/v1/mint-requests/${id}`)).body.state === 'COMPLETED')

/** Every nonce of the operator was used by one transaction of ours, from the first to the last. */
async function expectNoGap(): Promise<void> {
  const rows = await organization.ctx.db.transaction.findMany({
    where: { nonce: { not: null } },
    orderBy: { nonce: 'asc' },
  })
  expect(rows.map((row) => row.nonce)).toEqual(rows.map((_, at) => at))
  expect(await testChain.client.getTransactionCount({ address: testChain.operator.address })).toBe(rows.length)
}

const POINTS: CrashPoint[] = ['before_signing', 'after_storing', 'after_broadcasting', 'after_mining']

test.each(POINTS)(
  'the worker killed %s, then started again: exactly one token each, nonces without a gap',
  async (crashAt) => {
    const first = spawnWorker(testChain)
    const collectionId = await requestCollection()
    const contract = await deployed(collectionId)
    expect(await first.stop()).toEqual({ code: 0, signal: null })

    const id = await orderMints(collectionId, 3)
    const dying = spawnWorker(testChain, { crashAt })
    expect(await dying.ended).toMatchObject({ signal: 'SIGKILL' })
    spawnWorker(testChain)
    await completed(id)
    const mints = await mintsOf(contract)
    expect(mints.map((mint) => mint.args.id).sort()).toEqual([1n, 2n, 3n])
    await expectNoGap()
  },
)

test('the worker killed with a run of 20 signed and not sent, then again when it is mined: one token each', async () => {
  const first = spawnWorker(testChain)
  const collectionId = await requestCollection()
  const contract = await deployed(collectionId)
  expect(await first.stop()).toEqual({ code: 0, signal: null })
  const id = await orderMints(collectionId, 20)
  for (const crashAt of ['after_storing', 'after_mining'] as const)
    expect(await spawnWorker(testChain, { crashAt }).ended).toMatchObject({ signal: 'SIGKILL' })
  spawnWorker(testChain)
  await completed(id)
  const mints = await mintsOf(contract)
  expect(mints.map((mint) => Number(mint.args.id))).toEqual(Array.from({ length: 20 }, (_, at) => at + 1))
  const { signed } = await organization.ctx.db.transaction.findFirstOrThrow({
    where: { id },
    include: { signed: true },
  })
  expect(signed.map(({ raw }) => isConsecutiveBatch(raw as Hex))).toEqual([true])
  await expectNoGap()
})

test('the worker killed with a transfer signed and not sent, then again when it is mined: the token our operator kept is handed over once', async () => {
  const first = spawnWorker(testChain)
  const collectionId = await requestCollection()
  const contract = await deployed(collectionId)
  const [item_id] = await makeItems(caller(), collectionId, 1)
  const minted = await caller().post('/v1/mint-requests', { item_id, to_address: testChain.operator.address })
  await completed(minted.body.mint_requests[0].id)
  await until('The token', async () => (await caller().get(`/v1/items/${item_id}/holds`)).body.kept_by)
  expect(await first.stop()).toEqual({ code: 0, signal: null })

  const to = fresh()
  const { status, body } = await caller().post('/v1/mint-requests', { item_id, to_address: to })
  expect(status, JSON.stringify(body)).toBe(201)
  for (const crashAt of ['after_storing', 'after_mining'] as const)
    expect(await spawnWorker(testChain, { crashAt }).ended).toMatchObject({ signal: 'SIGKILL' })
  const last = spawnWorker(testChain)
  await completed(body.mint_requests[0].id)
  const moves = await mintsOf(contract)
  expect(moves.map(({ args }) => args.to)).toEqual([testChain.operator.address, to])
  expect(
    (
      await organization.ctx.db.transaction.findFirstOrThrow({
        where: { id: body.mint_requests[0].transaction_id },
        include: { signed: true },
      })
    ).signed,
  ).toHaveLength(1)
  await until('The books', async () => (await caller().get(`/v1/items/${item_id}/holds`)).body.kept_by === null)
  await expectNoGap()
  expect(await last.stop()).toEqual({ code: 0, signal: null })
})

test('a deployment killed at one point after the other comes to be once', async () => {
  const collectionId = await requestCollection()
  // Once stored, its bytes are not signed and sent anew: the watcher repeats them.
  for (const crashAt of ['before_signing', 'after_storing', 'after_mining'] as const)
    expect(await spawnWorker(testChain, { crashAt }).ended).toMatchObject({ signal: 'SIGKILL' })
  spawnWorker(testChain)
  await deployed(collectionId)
  await expectNoGap()
})

test('two workers at once: one sends, and when it is killed the other takes over', async () => {
  const [one, other] = [spawnWorker(testChain), spawnWorker(testChain)]
  const collectionId = await requestCollection()
  const contract = await deployed(collectionId)
  await completed(await orderMints(collectionId, 2))
  one.child.kill('SIGKILL')
  await one.ended
  const more = await makeItems(caller(), collectionId, 2)
  const { body } = await caller().post('/v1/mint-requests', { item_ids: more, to_address: fresh() })
  await completed(body.mint_requests[0].transaction_id)
  expect(await mintsOf(contract)).toHaveLength(4)
  await expectNoGap()
  expect(await other.stop()).toEqual({ code: 0, signal: null })
})

test('the chain away for a while: nothing is lost, and it goes on by itself', async () => {
  spawnWorker(testChain)
  const collectionId = await requestCollection()
  const contract = await deployed(collectionId)
  testChain.child.kill('SIGSTOP')
  try {
    const items = await makeItems(caller(), collectionId, 1)
    // Receivers are asked at the chain: without it the answer is 503, and nothing is half done.
    const answer = await caller().post('/v1/mint-requests', { item_id: items[0], to_address: fresh() })
    expect([answer.status, answer.body.code]).toEqual([503, 'unavailable'])
    testChain.child.kill('SIGCONT')
    await until('The chain', () => testChain.client.getBlockNumber().catch(() => null))
    const { body } = await caller().post('/v1/mint-requests', { item_id: items[0], to_address: fresh() })
    await completed(body.mint_requests[0].transaction_id)
    expect(await mintsOf(contract)).toHaveLength(1)
    await expectNoGap()
  } finally {
    testChain.child.kill('SIGCONT')
  }
})

/** As a restart of PostgreSQL does it: every connection to this test's database ends, in the middle of whatever it did. */
async function cutConnections(): Promise<number> {
  const own = new URL(process.env.DATABASE_URL!)
  const admin = new URL(own)
  admin.pathname = '/postgres'
  const client = new pg.Client({ connectionString: admin.toString() })
  await client.connect()
  const { rowCount } = await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
    own.pathname.slice(1),
  ])
  await client.end()
  return rowCount ?? 0
}

/** null: the database was away, and the answer said so; asked again, an order that had gone through after all is found. */
async function order(item_id: string): Promise<string | null> {
  const { status, body } = await caller().post('/v1/mint-requests', { item_id, to_address: TO })
  if (status === 201) return body.mint_requests[0].id
  expect(['unavailable', 'sold_out']).toContain(body.code)
  return body.code === 'sold_out'
    ? (await caller().get(`/v1/mint-requests?item_id=${item_id}`)).body.results?.[0]?.id
    : null
}

test('the database gone again and again under load: every mint arrives, once', async () => {
  const worker = spawnWorker(testChain)
  const collectionId = await requestCollection()
  const contract = await deployed(collectionId)
  const items = await makeItems(caller(), collectionId, 12)
  const orders = items.map((item_id) => until('The mint request', () => order(item_id)))
  for (let time = 0; time < 5; time++) await until('A cut', cutConnections)
  const ids = await Promise.all(orders)
  for (const id of ids)
    await until('The mint', async () => (await caller().get(`/v1/mint-requests/${id}`)).body.state === 'COMPLETED')
  expect((await mintsOf(contract)).map((mint) => mint.args.id!).sort((a, b) => Number(a - b))).toEqual(
    items.map((_, at) => BigInt(at + 1)),
  )
  await expectNoGap()
  expect(await worker.stop()).toEqual({ code: 0, signal: null })
})
