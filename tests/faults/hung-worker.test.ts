import pg from 'pg'
import { beforeAll, expect, test, vi } from 'vitest'
import { parseAbiItem, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { systemClient } from '../../lib/db/client.ts'
import { callerOf } from '../support/call.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeItems } from '../support/collections.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeOnChainCollection } from '../support/sending.ts'
import { until } from '../support/until.ts'
import { spawnWorker } from '../support/worker.ts'

// A worker process starts slowly on a busy machine.
vi.setConfig({ testTimeout: 240_000 })

let testChain: TestChain
let organization: TestOrganization
let contract: Address
let collectionId: string

beforeAll(async () => {
  testChain = await startChain({ blockTime: 1 })
  organization = await makeOrganization()
  const made = await makeOnChainCollection(organization, testChain, { items: 0 })
  contract = made.contract
  collectionId = made.collectionId
})

const caller = () => callerOf(organization.key)
const makeAddress = (): Address => privateKeyToAccount(generatePrivateKey()).address

/** Requests a mint of each of so many new items, to an address of its own; returns the ids of the mint requests. */
async function requestMints(count: number): Promise<string[]> {
  const item_ids = await makeItems(caller(), collectionId, count)
  const { status, body } = await caller().post('/v1/mint-requests', {
    item_ids,
    to_addresses: item_ids.map(makeAddress),
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return (body.mint_requests as { id: string }[]).map(({ id }) => id)
}

async function waitForMints(ids: readonly string[]): Promise<void> {
  for (const id of ids)
    await until('The mint', async () => (await caller().get(`/v1/mint-requests/${id}`)).body.state === 'COMPLETED')
}

/** Expects one mint of each item, and that our transactions used every nonce of the operator exactly once. */
async function expectEachMintedOnce(): Promise<void> {
  const mints = await testChain.client.getLogs({
    address: contract,
    event: parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 indexed id)'),
    fromBlock: 0n,
  })
  const minted = await organization.ctx.db.item.findMany({ where: { collectionId } })
  const inOrder = (ids: string[]) => ids.sort((a, b) => Number(a) - Number(b))
  expect(inOrder(mints.map(({ args }) => String(args.id)))).toEqual(inOrder(minted.map(({ tokenId }) => tokenId!)))
  const sent = await organization.ctx.db.transaction.findMany({
    where: { nonce: { not: null } },
    orderBy: { nonce: 'asc' },
  })
  expect(sent.map(({ nonce }) => nonce)).toEqual(sent.map((_, at) => at))
  expect(await testChain.client.getTransactionCount({ address: testChain.operator.address })).toBe(sent.length)
}

/** Which process sends transactions, and with which token; null when no worker ever did. */
const senderNow = () =>
  systemClient().lease.findFirst({
    where: { task: { startsWith: 'send ' } },
    select: { holder: true, token: true },
  })

const openAlarms = () => systemClient().alarm.count({ where: { kind: 'worker_silent', resolvedAt: null } })

const seenAt = async (id: string) => (await systemClient().worker.findUniqueOrThrow({ where: { id } })).seenAt

/**
 * Whether a process left a transaction open for more than a second. Only the database's owner sees that of other
 * connections.
 */
async function isLeftOpen(): Promise<boolean> {
  const client = new pg.Client({ connectionString: process.env.MIGRATE_DATABASE_URL })
  await client.connect()
  const { rowCount } = await client.query(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction' AND state_change < now() - interval '1 second'`,
  )
  await client.end()
  return rowCount! > 0
}

test('a worker stopped while it signs: another sends its mints, and the first one, continued, writes nothing', async () => {
  const ids = await requestMints(3)
  const hung = spawnWorker(testChain, { stopAt: 'before_signing' })
  await until('The stop', isLeftOpen)
  const before = (await senderNow())!
  const other = spawnWorker(testChain)
  await waitForMints(ids)
  const after = (await senderNow())!
  expect(after.holder).not.toBe(before.holder)
  expect(after.token).toBeGreaterThan(before.token)

  const stoppedAt = await seenAt(before.holder)
  hung.child.kill('SIGCONT')
  await until('The continued worker', async () => (await seenAt(before.holder)) > stoppedAt)
  await waitForMints(await requestMints(2))
  await expectEachMintedOnce()
  expect(await senderNow()).toEqual(after)
  expect(await hung.stop()).toEqual({ code: 0, signal: null })
  expect(await other.stop()).toEqual({ code: 0, signal: null })
})

test('the worker that sends is stopped amid mints: another finishes them and tells, and both go on afterwards', async () => {
  const hung = spawnWorker(testChain)
  await waitForMints(await requestMints(1))
  const other = spawnWorker(testChain)
  await until('Two workers', async () => {
    const workers = await systemClient().worker.findMany({ where: { stoppedAt: null } })
    // A worker that was not seen since another one started counts as replaced by it.
    return workers.length === 2 && workers.every(({ seenAt }) => workers.every(({ startedAt }) => seenAt > startedAt))
  })
  const before = (await senderNow())!

  const ids: string[] = []
  for (let round = 0; round < 4; round++) ids.push(...(await requestMints(2)))
  await until('A sent mint', () =>
    organization.ctx.db.mintRequest.count({ where: { id: { in: ids }, state: { not: 'WAITING' } } }),
  )
  hung.child.kill('SIGSTOP')
  for (let round = 0; round < 4; round++) ids.push(...(await requestMints(2)))
  await waitForMints(ids)
  expect((await senderNow())!.token).toBeGreaterThan(before.token)
  await until('The alarm', async () => (await openAlarms()) === 1)

  hung.child.kill('SIGCONT')
  await until('The end of the alarm', async () => (await openAlarms()) === 0)
  await waitForMints(await requestMints(2))
  expect(await other.stop()).toEqual({ code: 0, signal: null })
  await waitForMints(await requestMints(2))
  await expectEachMintedOnce()
  expect(await hung.stop()).toEqual({ code: 0, signal: null })
})
