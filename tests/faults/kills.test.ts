import { beforeAll, expect, test, vi } from 'vitest'
import { parseAbiItem, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { callerOf } from '../support/call.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeCollection, makeItems } from '../support/collections.ts'
import { cutConnections } from '../support/cut-connections.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { until } from '../support/until.ts'
import { spawnWorker } from '../support/worker.ts'

let testChain: TestChain
let organization: TestOrganization

// A worker process starts slowly on a busy machine.
vi.setConfig({ testTimeout: 240_000 })

const makeAddress = (): Address => privateKeyToAccount(generatePrivateKey()).address
const TO = makeAddress()
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

const waitForDeployment = (collectionId: string) =>
  until('The deployment', async () => {
    const row = await organization.ctx.db.collection.findFirstOrThrow({ where: { id: collectionId } })
    return row.deploymentStatus === 'SUCCESS' && (row.contractAddress as Address)
  })

/**
 * Makes items and requests their mints, each to its own new address, in one transaction; returns the transaction's id.
 */
async function requestMints(collectionId: string, count: number): Promise<string> {
  const item_ids = await makeItems(caller(), collectionId, count)
  const { status, body } = await caller().post('/v1/mint-requests', {
    item_ids,
    to_addresses: item_ids.map(makeAddress),
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.mint_requests[0].transaction_id as string
}

const waitForMint = (id: string) =>
  until('The mint', async () => (await caller().get(`/v1/mint-requests/${id}`)).body.state === 'COMPLETED')

/** Expects that our transactions used every nonce of the operator exactly once. */
async function expectNoNonceGap(): Promise<void> {
  const rows = await organization.ctx.db.transaction.findMany({
    where: { nonce: { not: null } },
    orderBy: { nonce: 'asc' },
  })
  expect(rows.map((row) => row.nonce)).toEqual(rows.map((_, at) => at))
  expect(await testChain.client.getTransactionCount({ address: testChain.operator.address })).toBe(rows.length)
}

test('two workers: when one is killed, the other goes on sending', async () => {
  const [one, other] = [spawnWorker(testChain), spawnWorker(testChain)]
  const collectionId = await requestCollection()
  const contract = await waitForDeployment(collectionId)
  await waitForMint(await requestMints(collectionId, 2))
  one.child.kill('SIGKILL')
  await one.ended
  const more = await makeItems(caller(), collectionId, 2)
  const { body } = await caller().post('/v1/mint-requests', { item_ids: more, to_address: makeAddress() })
  await waitForMint(body.mint_requests[0].transaction_id)
  expect(await mintsOf(contract)).toHaveLength(4)
  await expectNoNonceGap()
  expect(await other.stop()).toEqual({ code: 0, signal: null })
})

test('while the chain is unreachable requests get 503, and minting resumes when it is back', async () => {
  spawnWorker(testChain)
  const collectionId = await requestCollection()
  const contract = await waitForDeployment(collectionId)
  testChain.child.kill('SIGSTOP')
  try {
    const items = await makeItems(caller(), collectionId, 1)
    // The recipient is checked on the chain: without the chain the request fails with 503 and writes nothing.
    const answer = await caller().post('/v1/mint-requests', { item_id: items[0], to_address: makeAddress() })
    expect([answer.status, answer.body.code]).toEqual([503, 'unavailable'])
    testChain.child.kill('SIGCONT')
    await until('The chain', () => testChain.client.getBlockNumber().catch(() => null))
    const { body } = await caller().post('/v1/mint-requests', { item_id: items[0], to_address: makeAddress() })
    await waitForMint(body.mint_requests[0].transaction_id)
    expect(await mintsOf(contract)).toHaveLength(1)
    await expectNoNonceGap()
  } finally {
    testChain.child.kill('SIGCONT')
  }
})

/**
 * Requests a mint. null: the database was unreachable. sold_out and already_minted mean that an earlier try succeeded:
 * its request is returned.
 */
async function requestMint(item_id: string): Promise<string | null> {
  const { status, body } = await caller().post('/v1/mint-requests', { item_id, to_address: TO })
  if (status === 201) return body.mint_requests[0].id
  expect(['unavailable', 'sold_out', 'already_minted']).toContain(body.code)
  return body.code !== 'unavailable'
    ? (await caller().get(`/v1/mint-requests?item_id=${item_id}`)).body.results?.[0]?.id
    : null
}

test('database connections cut five times under load: every item is minted once', async () => {
  const worker = spawnWorker(testChain)
  const collectionId = await requestCollection()
  const contract = await waitForDeployment(collectionId)
  const items = await makeItems(caller(), collectionId, 12)
  const requests = items.map((item_id) => until('The mint request', () => requestMint(item_id)))
  for (let cut = 0; cut < 5; cut++) await until('A cut connection', cutConnections)
  const ids = await Promise.all(requests)
  for (const id of ids)
    await until('The mint', async () => (await caller().get(`/v1/mint-requests/${id}`)).body.state === 'COMPLETED')
  expect((await mintsOf(contract)).map((mint) => mint.args.id!).sort((a, b) => Number(a - b))).toEqual(
    items.map((_, at) => BigInt(at + 1)),
  )
  await expectNoNonceGap()
  expect(await worker.stop()).toEqual({ code: 0, signal: null })
})
