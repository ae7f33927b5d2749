import { type Address, parseTransaction, type Hex } from 'viem'
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { vitrine721Abi } from '../../lib/core/contracts/abi.ts'
import { env } from '../../lib/core/env.ts'
import { openTransaction } from '../../lib/orders/open-transaction.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { viemChain } from '../../lib/ports/chain/viem-chain.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'
import { startNodeProxy } from '../support/node-proxy.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeOnChainCollection, makeSender } from '../support/sending.ts'
import { openCancellations } from '../support/voucher-cancellations.ts'

let testChain: TestChain
let organization: TestOrganization
let node: Awaited<ReturnType<typeof startNodeProxy>>
let collectionId: string
let contract: Address
const { MAX_IN_FLIGHT } = env

beforeAll(async () => {
  testChain = await startChain()
  organization = await makeOrganization()
  node = await startNodeProxy(testChain.rpcUrl)
  ;({ collectionId, contract } = await makeOnChainCollection(organization, testChain, { items: 0 }))
})

beforeEach(() => void (node.posts = []))

afterEach(async () => {
  resetClock()
  env.MAX_IN_FLIGHT = MAX_IN_FLIGHT
  node.refuse = () => null
  await testChain.node.setAutomine(true)
  await makeSender(testChain).run()
})

const makeFarSender = () => makeSender({ ...testChain, chain: viemChain(testChain.network, [node.url]) })

/** Waiting transactions, in the order in which they were asked for. */
async function openSettings(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; at < count; at++) {
    const payload = { base_uri: `https://example.com/${at}/` }
    const setting = { collectionId, networkId: 31337, txType: 'SET_BASE_URI' as const, payload }
    ids.push(await inTransaction(organization.ctx, (tx) => openTransaction(tx, setting)))
  }
  return ids
}

const rowsOf = (ids: readonly string[]) =>
  organization.ctx.db.transaction.findMany({ where: { id: { in: [...ids] } }, orderBy: { id: 'asc' } })

/** The requests that a node gets, but for the simulations, which come at the same time. */
const requestsOf = () => node.posts.filter((methods) => methods.join() !== 'eth_estimateGas').length

test('a round of 16 transactions asks the node as often as a round of one, and sends them with consecutive nonces in their order', async () => {
  const sender = makeFarSender()
  await openSettings(1)
  expect(await sender.submit()).toBe('sent') // the node's chain id is read, and whether it has a data fee
  await sender.mined()
  await sender.watch()
  await openSettings(1)
  node.posts = []
  expect(await sender.submit()).toBe('sent')
  const forOne = requestsOf()
  await sender.mined()
  await sender.watch()

  const ids = await openSettings(16)
  node.posts = []
  expect(await sender.submit()).toBe('sent')
  expect(requestsOf()).toBe(forOne)
  expect(node.posts.filter((methods) => methods.includes('eth_estimateGas'))).toHaveLength(16)
  const rows = await rowsOf(ids)
  expect(rows.map(({ nonce }) => nonce! - rows[0]!.nonce!)).toEqual(Array.from({ length: 16 }, (_, at) => at))
  await sender.mined()
  await sender.watch()
  expect((await rowsOf(ids)).every(({ state, onChainStatus }) => state === 'COMPLETED' && onChainStatus)).toBe(true)
  const last = await testChain.client.readContract({ address: contract, abi: vitrine721Abi, functionName: 'baseURI' })
  expect(last).toBe('https://example.com/15/')
})

test('signing and completing 16 transactions takes as many round trips to the database as two', async () => {
  const sender = makeSender(testChain)
  await sender.watch() // after a start, what was mined is looked for once
  const costOf = async (count: number) => {
    const ids = await openSettings(count)
    const submitted = await countRoundTrips(() => sender.submit())
    expect(submitted.result).toBe('sent')
    await sender.mined()
    const watched = await countRoundTrips(() => sender.watch())
    expect((await rowsOf(ids)).every(({ state }) => state === 'COMPLETED')).toBe(true)
    return [submitted.roundTrips.length, watched.roundTrips.length]
  }
  expect(await costOf(16)).toEqual(await costOf(2))
})

test('signing the cancellations of 12 vouchers takes as many round trips to the database as of two', async () => {
  const sender = makeSender(testChain)
  const costOf = async (count: number) => {
    const made = await makeOnChainCollection(organization, testChain, { items: count })
    const ids = await openCancellations(organization, made)
    const { result, roundTrips } = await countRoundTrips(() => sender.submit())
    expect(result).toBe('sent')
    await sender.mined()
    await sender.watch()
    expect((await rowsOf(ids)).map(({ onChainStatus }) => onChainStatus)).toEqual(ids.map(() => 'SUCCESS'))
    return roundTrips.length
  }
  expect(await costOf(12)).toBe(await costOf(2))
})

test('transactions that only wait for more blocks aren’t looked at, however many they are, and hold up no other', async () => {
  const network = { ...testChain.network, confirmations: 5 }
  const sender = makeSender({ ...testChain, chain: viemChain(network, [node.url]) })
  const receiptsOf = async () => {
    node.posts = []
    const { statements } = await countRoundTrips(() => sender.watch())
    const receipts = node.posts.flat().filter((method) => method === 'eth_getTransactionReceipt').length
    return { statements, receipts }
  }
  await sender.watch()
  const nothing = await receiptsOf()
  const first = await openSettings(3)
  await sender.submitAll()
  await sender.mined()
  expect((await receiptsOf()).receipts).toBeGreaterThanOrEqual(3)
  expect(await receiptsOf()).toEqual(nothing) // they are in a block
  const { number } = await testChain.chain.head()
  await systemContext().sql(Prisma.sql`
    INSERT INTO transactions (id, organization_id, collection_id, network_id, tx_type, state, operator, nonce, block_number, block_hash, updated_at)
    SELECT uuidv7(), organization_id, collection_id, network_id, tx_type, 'SUBMITTED', ${`0x${'0'.repeat(40)}`}, n, ${number + 1000n}, block_hash, now()
    FROM transactions, generate_series(1, 1200) n WHERE id = ${first[0]}::uuid`)
  expect(await receiptsOf()).toEqual(nothing)
  const [last] = await openSettings(1)
  await sender.submitAll()
  await sender.mined()
  await testChain.node.mine({ blocks: 4 })
  await sender.watch()
  await systemContext().db.transaction.deleteMany({ where: { operator: `0x${'0'.repeat(40)}` } })
  expect((await rowsOf([...first, last!])).map(({ state }) => state)).toEqual(
    first.concat(last!).map(() => 'COMPLETED'),
  )
})

test('a transaction that waits for more blocks and is undone by a reorg is sent again and mined', async () => {
  const chain = viemChain({ ...testChain.network, confirmations: 5 }, [testChain.rpcUrl])
  const sender = makeSender({ ...testChain, chain })
  const [id] = await openSettings(1)
  await sender.submitAll()
  await sender.mined()
  await sender.watch()
  expect((await rowsOf([id!]))[0]).toMatchObject({ state: 'SUBMITTED', blockNumber: expect.any(BigInt) })
  await testChain.node.setAutomine(false)
  await testChain.node.request({ method: 'anvil_reorg' as never, params: [1, []] as never })
  await sender.watch()
  expect((await rowsOf([id!]))[0]).toMatchObject({ state: 'SUBMITTED', blockNumber: null })
  await testChain.node.setAutomine(true)
  await testChain.node.mine({ blocks: 6 })
  await sender.watch()
  expect((await rowsOf([id!]))[0]).toMatchObject({ state: 'COMPLETED', onChainStatus: 'SUCCESS' })
})

test('a network may have more transactions in flight than the others', async () => {
  env.MAX_IN_FLIGHT = '3;31337=20;137=2'
  await testChain.node.setAutomine(false)
  const ids = await openSettings(25)
  const sender = makeSender(testChain)
  expect(await sender.submitAll()).toEqual(['sent', 'full'])
  expect((await rowsOf(ids)).filter(({ state }) => state === 'SUBMITTED')).toHaveLength(20)
})

test('while a full batch of mints is about to leave, the next one of its collection gathers', async () => {
  const made = await makeOnChainCollection(organization, testChain, { items: 102 })
  const mint = async (item_ids: string[]) => {
    const to_addresses = item_ids.map(makeRandomAddress)
    const { status, body } = await made.api.post('/v1/mint-requests', { item_ids, to_addresses })
    expect(status, JSON.stringify(body)).toBe(201)
    return body.mint_requests[0].transaction_id as string
  }
  const full = await mint(made.itemIds.slice(0, 100))
  const next = await mint(made.itemIds.slice(100, 101))
  await testChain.node.setAutomine(false)
  while ((await made.sender.submit()) === 'changed');
  expect(await rowsOf([full, next])).toMatchObject([{ state: 'SUBMITTED' }, { state: 'PENDING', closedAt: null }])
  expect(await mint(made.itemIds.slice(101))).toBe(next)
  moveClock(600)
  expect(await made.sender.submit()).toBe('sent')
  expect(await rowsOf([next])).toMatchObject([{ state: 'SUBMITTED', mintCount: 2 }])
})

test('a transaction that can’t be signed is tried again later, and the others of its round leave in order', async () => {
  const { keys } = ports()
  onTestFinished(() => replacePorts({ keys }))
  const isBad = (data: Hex) => Buffer.from(data.slice(2), 'hex').includes('example.com/2/')
  replacePorts({
    keys: {
      ...keys,
      signTransaction: (operator, chainId, call) =>
        isBad(call.data)
          ? Promise.reject(new Error('The key service refuses it.'))
          : keys.signTransaction(operator, chainId, call),
    },
  })
  const ids = await openSettings(5)
  const sender = makeSender(testChain)
  expect(await sender.submitAll()).toEqual(['sent', 'idle'])
  const rows = await rowsOf(ids)
  expect(rows.map(({ state }) => state)).toEqual(['SUBMITTED', 'SUBMITTED', 'PENDING', 'SUBMITTED', 'SUBMITTED'])
  const nonces = rows.flatMap(({ nonce }) => nonce ?? [])
  expect(nonces.map((nonce) => nonce - nonces[0]!)).toEqual([0, 1, 2, 3])
  expect(await systemContext('test').db.rowTry.findMany({ where: { rowId: ids[2]! } })).toMatchObject([{ attempts: 1 }])
  replacePorts({ keys })
  await sender.mined()
  moveClock(6_000)
  await sender.run()
  expect((await rowsOf(ids)).map(({ state }) => state)).toEqual(ids.map(() => 'COMPLETED'))
  expect(await systemContext('test').db.rowTry.count()).toBe(0)
})

test('of a round, as many leave as the balance covers; the next one waits without an alarm while others are in flight', async () => {
  await testChain.node.setAutomine(false)
  const sender = makeSender(testChain)
  const [first] = await openSettings(1)
  expect(await sender.submit()).toBe('sent')
  const { gasCostWei } = (await rowsOf([first!]))[0]!
  const cost = BigInt(gasCostWei!.toFixed())
  const full = await testChain.client.getBalance({ address: testChain.operator.address })
  onTestFinished(() => testChain.node.setBalance({ address: testChain.operator.address, value: full }))
  await testChain.node.setBalance({ address: testChain.operator.address, value: (cost * 37n) / 10n })
  const ids = await openSettings(4)
  expect(await sender.submitAll()).toEqual(['sent', 'short'])
  expect((await rowsOf(ids)).map(({ state }) => state)).toEqual(['SUBMITTED', 'SUBMITTED', 'PENDING', 'PENDING'])
  expect(await systemContext('test').db.alarm.count({ where: { kind: 'operator_low', resolvedAt: null } })).toBe(0)
  await testChain.node.setBalance({ address: testChain.operator.address, value: full })
})

test('of a round for some of whose transactions a node answers, those leave, and the other one when it answers again', async () => {
  const sender = makeFarSender()
  const ids = await openSettings(3)
  const hidden = Buffer.from('example.com/1/').toString('hex')
  node.refuse = ({ method, params }) =>
    method === 'eth_estimateGas' && (params[0] as { data: string }).data.includes(hidden)
      ? { code: -32005, message: 'Too many requests.' }
      : null
  expect(await sender.submit()).toBe('sent')
  expect((await rowsOf(ids)).map(({ state }) => state)).toEqual(['SUBMITTED', 'PENDING', 'SUBMITTED'])
  await expect(sender.submit()).rejects.toThrow('No node of Local answers.')
  node.refuse = () => null
  moveClock(6_000)
  await sender.run()
  expect((await rowsOf(ids)).map(({ state }) => state)).toEqual(ids.map(() => 'COMPLETED'))
})

test('one broadcast of a round that nodes refuse is tried again by itself; the bytes of the others aren’t sent twice', async () => {
  const sender = makeFarSender()
  await testChain.node.setAutomine(false)
  const ids = await openSettings(3)
  const hidden = Buffer.from('example.com/1/').toString('hex')
  const dataOf = (raw: unknown) => parseTransaction(raw as Hex).data ?? '0x'
  node.refuse = ({ method, params }) =>
    method === 'eth_sendRawTransaction' && dataOf(params[0]).includes(hidden)
      ? { code: -32000, message: 'txpool is full' }
      : null
  expect(await sender.submit()).toBe('sent')
  const signed = await organization.ctx.db.signedTransaction.findMany({
    where: { transactionId: { in: ids } },
    orderBy: { nonce: 'asc' },
  })
  expect(signed.map(({ broadcastAt, refusals }) => [broadcastAt !== null, refusals])).toEqual([
    [true, 0],
    [false, 1],
    [true, 0],
  ])
  node.posts = []
  await sender.watch()
  expect(node.posts.flat()).not.toContain('eth_sendRawTransaction')
  node.refuse = () => null
  moveClock(6_000)
  await sender.watch()
  await testChain.node.setAutomine(true)
  await testChain.node.mine({ blocks: 1 })
  await sender.watch()
  expect((await rowsOf(ids)).map(({ state }) => state)).toEqual(ids.map(() => 'COMPLETED'))
})

test('a mint that wasn’t in its receipt is decided alone, and the others of its pass are completed together', async () => {
  const made = await makeOnChainCollection(organization, testChain, { items: 2 })
  const others = await openSettings(2)
  const to = makeRandomAddress()
  const { body } = await made.api.post('/v1/mint-requests', { item_id: made.itemIds[0], to_address: to })
  const id = body.mint_requests[0].transaction_id as string
  await testChain.node.setCode({ address: made.contract, bytecode: '0x00' })
  await made.sender.run()
  expect(await rowsOf([id])).toMatchObject([{ state: 'FAILED', onChainStatus: 'SUCCESS' }])
  expect((await rowsOf(others)).map(({ state }) => state)).toEqual(['COMPLETED', 'COMPLETED'])
})
