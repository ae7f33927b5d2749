import { afterEach, beforeAll, expect, test } from 'vitest'
import { parseEther, type Address, type Hex } from 'viem'
import type { AlarmKind } from '../../lib/records/alarms/raise-alarm.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { encodeAdminMint721 } from '../../lib/core/contracts/calls.ts'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { indexOnce } from '../../lib/onchain/indexer/index-once.ts'
import { openTransaction } from '../../lib/orders/open-transaction.ts'
import { checkOperators } from '../../lib/worker/check-operators.ts'
import { sendByHand as sendHere } from '../support/by-hand.ts'
import { reorganized, startChain, type TestChain, withoutMining } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeOnChainCollection, makeSender, tokenAbi1155, tokenAbi721 } from '../support/sending.ts'

let testChain: TestChain
let organization: TestOrganization

beforeAll(async () => {
  testChain = await startChain()
  organization = await makeOrganization()
})

afterEach(resetClock)

const sendByHand = (sent: Parameters<typeof sendHere>[1]) => sendHere(testChain, sent)
const mintByHand = (contract: Address, to: Address, tokenId: bigint) =>
  sendByHand({ to: contract, data: encodeAdminMint721([{ to, tokenId }]) })

async function index(): Promise<void> {
  while ((await indexOnce(systemContext('test'), testChain.chain)) !== 'caught_up');
}

const signedOf = (transactionId: string) =>
  organization.ctx.db.signedTransaction.findMany({ where: { transactionId }, orderBy: { id: 'asc' } })
const openAlarms = (kind: AlarmKind) => systemContext('test').db.alarm.findMany({ where: { kind, resolvedAt: null } })
const openSetting = (collectionId: string, base_uri: string): Promise<string> =>
  inTransaction(organization.ctx, (tx) =>
    openTransaction(tx, { collectionId, networkId: 31337, txType: 'SET_BASE_URI', payload: { base_uri } }),
  )

const ownerOf = (contract: Address, tokenId: bigint) =>
  testChain.client.readContract({ address: contract, abi: tokenAbi721, functionName: 'ownerOf', args: [tokenId] })

test('waiting mints of a collection are sent in one transaction', async () => {
  const { api, itemIds, contract, sender } = await makeOnChainCollection(organization, testChain, { items: 5 })
  const to_addresses = itemIds.map(makeRandomAddress)
  const { status, body } = await api.post('/v1/mint-requests', { item_ids: itemIds, to_addresses })
  expect(status, JSON.stringify(body)).toBe(201)
  expect(new Set(body.mint_requests.map((mint: { transaction_id: string }) => mint.transaction_id)).size).toBe(1)
  expect(body.mint_requests[0]).toMatchObject({
    item_id: itemIds[0],
    quantity: 1,
    state: 'WAITING',
    to_address: to_addresses[0],
  })
  await sender.run()
  for (const [at, address] of to_addresses.entries()) expect(await ownerOf(contract, BigInt(at + 1))).toBe(address)
  const transaction = await api.get(`/v1/transactions/${body.mint_requests[0].transaction_id}`)
  expect(transaction.body).toMatchObject({
    state: 'COMPLETED',
    on_chain_status: 'SUCCESS',
    mint_requests: 5,
    tx_type: 'ADMIN_MINT',
    failure: null,
  })
  const mint = await api.get(`/v1/mint-requests/${body.mint_requests[0].transaction_id}`)
  expect(mint.body).toMatchObject({
    id: body.mint_requests[0].id,
    state: 'COMPLETED',
    tx_hash: transaction.body.tx_hash,
  })
  expect(mint.body.mint_requests).toHaveLength(5)
})

test('one mint of a batch that fails on the chain is FAILED with its reason; the others are COMPLETED', async () => {
  const { api, itemIds, contract, sender } = await makeOnChainCollection(organization, testChain, { items: 3 })
  const [first, taken, last] = [makeRandomAddress(), makeRandomAddress(), makeRandomAddress()]
  const { body } = await api.post('/v1/mint-requests', { item_ids: itemIds, to_addresses: [first, taken, last] })
  // The operator's key mints the second token without a row in the database.
  const foreign = makeRandomAddress()
  await mintByHand(contract, foreign, 2n)
  await sender.run()
  const stateOf = async () => (await api.get(`/v1/mint-requests/${body.mint_requests[1].id}`)).body.state
  expect(await stateOf()).toBe('SUBMITTED') // until the index tells whose mint it was
  await index()
  await sender.watch()
  expect(await Promise.all([1n, 2n, 3n].map((id) => ownerOf(contract, id)))).toEqual([first, foreign, last])
  const mints = await api.get(`/v1/mint-requests/${body.mint_requests[0].transaction_id}`)
  expect(mints.body.mint_requests.map((mint: { state: string }) => mint.state)).toEqual([
    'COMPLETED',
    'FAILED',
    'COMPLETED',
  ])
  expect(mints.body.mint_requests[1].failure).toBe('This token was minted before.')
})

test('a mint that would revert is not sent: it fails with its reason, and its units are freed', async () => {
  const { api, itemIds, contract, sender, collectionId } = await makeOnChainCollection(organization, testChain)
  await mintByHand(contract, makeRandomAddress(), 1n)
  const before = await testChain.client.getTransactionCount({ address: testChain.operator.address })
  const { body } = await api.post('/v1/mint-requests', { item_id: itemIds[0], to_address: makeRandomAddress() })
  expect(await sender.submitAll()).toEqual(['idle']) // until the index tells whose mint it was
  await index()
  // Nor while the index is on a branch that a reorg left.
  expect(await makeSender({ ...testChain, chain: reorganized(testChain.chain) }).submitAll()).toEqual(['idle'])
  expect(await sender.submitAll()).toEqual(['changed', 'idle'])
  expect(await testChain.client.getTransactionCount({ address: testChain.operator.address })).toBe(before)
  const transaction = await api.get(`/v1/transactions/${body.mint_requests[0].transaction_id}`)
  expect(transaction.body).toMatchObject({
    state: 'FAILED',
    on_chain_status: null,
    tx_hash: null,
    failure: 'This token was minted before.',
  })
  expect((await organization.ctx.db.item.findFirstOrThrow({ where: { collectionId } })).held).toBe(0n)
})

test('ERC-1155: a recipient that rejects tokens is refused; one that rejects later fails alone', async () => {
  const { api, itemIds, sender, contract } = await makeOnChainCollection(organization, testChain, {
    items: 2,
    variant: 'ERC1155',
    max_supply: 10,
  })
  const refusing = testChain.contracts.factory
  const answer = await api.post('/v1/mint-requests', { item_id: itemIds[0], to_address: refusing })
  expect([answer.status, answer.body.code]).toEqual([422, 'address_cannot_receive'])
  const [good, later] = [makeRandomAddress(), makeRandomAddress()]
  const { body } = await api.post('/v1/mint-requests', {
    item_ids: itemIds,
    to_addresses: [good, later],
    quantities: [3, 4],
  })
  await testChain.node.setCode({ address: later, bytecode: '0x60006000fd' })
  await sender.run()
  const mints = await api.get(`/v1/mint-requests/${body.mint_requests[0].transaction_id}`)
  expect(mints.body.mint_requests).toMatchObject([
    { state: 'COMPLETED', quantity: 3 },
    { state: 'FAILED', quantity: 4, failure: expect.stringMatching(/\.$/) },
  ])
  expect(
    await testChain.client.readContract({
      address: contract,
      abi: tokenAbi1155,
      functionName: 'balanceOf',
      args: [good, 1n],
    }),
  ).toBe(3n)
})

test('a transaction dropped from the pool is rebroadcast from its stored bytes', async () => {
  const { api, itemIds, contract, sender } = await makeOnChainCollection(organization, testChain)
  const to = makeRandomAddress()
  const { body } = await api.post('/v1/mint-requests', { item_id: itemIds[0], to_address: to })
  await withoutMining(testChain, async () => {
    await sender.submitAll()
    const { tx_hash } = (await api.get(`/v1/transactions/${body.mint_requests[0].transaction_id}`)).body
    await testChain.node.dropTransaction({ hash: tx_hash })
    await testChain.node.mine({ blocks: 1 })
    moveClock(6_000)
    await sender.watch()
    await testChain.node.mine({ blocks: 1 })
    await sender.watch()
    const after = await api.get(`/v1/transactions/${body.mint_requests[0].transaction_id}`)
    expect(after.body).toMatchObject({ state: 'COMPLETED', tx_hash })
  })
  expect(await ownerOf(contract, 1n)).toBe(to)
})

test('a transaction not mined in time is replaced at the same nonce with both fees at least 1/8 higher', async () => {
  const { api, itemIds, contract, sender } = await makeOnChainCollection(organization, testChain)
  const { body } = await api.post('/v1/mint-requests', { item_id: itemIds[0], to_address: makeRandomAddress() })
  const id = body.mint_requests[0].transaction_id as string
  await withoutMining(testChain, async () => {
    await sender.submitAll()
    moveClock(31_000)
    await sender.watch()
    const signed = await signedOf(id)
    expect(signed).toHaveLength(2)
    expect(signed[1]!.nonce).toBe(signed[0]!.nonce)
    for (const fee of ['maxFeePerGas', 'maxPriorityFeePerGas'] as const)
      expect(signed[1]![fee].toNumber()).toBeGreaterThanOrEqual(signed[0]![fee].toNumber() * 1.125)
    await testChain.node.mine({ blocks: 1 })
    await sender.watch()
    expect((await api.get(`/v1/transactions/${id}`)).body).toMatchObject({
      state: 'COMPLETED',
      tx_hash: signed[1]!.hash,
    })
  })
  expect(
    await testChain.client.readContract({ address: contract, abi: tokenAbi721, functionName: 'ownerOf', args: [1n] }),
  ).toBeTruthy()
})

test('a transaction below the base fee is replaced at once by one that pays it', async () => {
  const { api, itemIds, sender } = await makeOnChainCollection(organization, testChain)
  const { body } = await api.post('/v1/mint-requests', { item_id: itemIds[0], to_address: makeRandomAddress() })
  const id = body.mint_requests[0].transaction_id as string
  await withoutMining(testChain, async () => {
    await sender.submitAll()
    const [signed] = await signedOf(id)
    await testChain.node.dropTransaction({ hash: signed!.hash as Hex })
    await testChain.node.setNextBlockBaseFeePerGas({ baseFeePerGas: BigInt(signed!.maxFeePerGas.toFixed()) * 4n })
    await testChain.node.mine({ blocks: 1 })
    moveClock(6_000)
    await sender.watch()
    await testChain.node.mine({ blocks: 1 })
    await sender.watch()
    expect((await api.get(`/v1/transactions/${id}`)).body.state).toBe('COMPLETED')
    await testChain.node.setNextBlockBaseFeePerGas({ baseFeePerGas: 1_000_000_000n })
    await testChain.node.mine({ blocks: 1 })
  })
})

test('an operator without funds raises an alarm, and its transactions wait until it is funded', async () => {
  const { api, itemIds, contract, sender } = await makeOnChainCollection(organization, testChain)
  const to = makeRandomAddress()
  await api.post('/v1/mint-requests', { item_id: itemIds[0], to_address: to })
  await testChain.node.setBalance({ address: testChain.operator.address, value: 1000n })
  expect(await sender.submit()).toBe('short')
  expect(await openAlarms('operator_low')).toHaveLength(1)
  await testChain.node.setBalance({ address: testChain.operator.address, value: parseEther('100') })
  await sender.run()
  expect(await ownerOf(contract, 1n)).toBe(to)
  await checkOperators(systemContext('test'))
  expect(await openAlarms('operator_low')).toHaveLength(0)
})

test('at most 16 transactions of an operator are in flight, and the nonces have no gap', async () => {
  const { collectionId, sender } = await makeOnChainCollection(organization, testChain)
  const ids: string[] = []
  for (let at = 0; at < 20; at++) ids.push(await openSetting(collectionId, `https://example.com/${at}/`))
  await withoutMining(testChain, async () => {
    expect(await sender.submitAll()).toEqual(['sent', 'full'])
    expect(await organization.ctx.db.transaction.count({ where: { id: { in: ids }, state: 'SUBMITTED' } })).toBe(16)
    await testChain.node.mine({ blocks: 1 })
    await sender.watch()
    await sender.submitAll()
    await testChain.node.mine({ blocks: 1 })
    await sender.watch()
  })
  const rows = await organization.ctx.db.transaction.findMany({ where: { id: { in: ids } }, orderBy: { nonce: 'asc' } })
  expect(rows.every((row) => row.state === 'COMPLETED' && row.onChainStatus === 'SUCCESS')).toBe(true)
  expect(rows.map((row) => row.nonce! - rows[0]!.nonce!)).toEqual(Array.from({ length: 20 }, (_, at) => at))
})

test('a nonce used by a foreign transaction raises an alarm, and the row is sent with another nonce', async () => {
  const { api, itemIds, contract, sender } = await makeOnChainCollection(organization, testChain)
  const to = makeRandomAddress()
  const { body } = await api.post('/v1/mint-requests', { item_id: itemIds[0], to_address: to })
  const id = body.mint_requests[0].transaction_id as string
  await withoutMining(testChain, async () => {
    await sender.submitAll()
    const [signed] = await signedOf(id)
    await testChain.node.dropTransaction({ hash: signed!.hash as Hex })
    await sendByHand({ to: makeRandomAddress(), nonce: signed!.nonce })
    await testChain.node.mine({ blocks: 1 })
    for (let pass = 0; pass < 3; pass++) await sender.watch()
  })
  expect((await api.get(`/v1/transactions/${id}`)).body).toMatchObject({ state: 'PENDING', nonce: null, tx_hash: null })
  expect(await openAlarms('nonce_taken')).toHaveLength(1)
  await sender.run()
  expect((await api.get(`/v1/mint-requests/${id}`)).body.state).toBe('COMPLETED')
  expect(await ownerOf(contract, 1n)).toBe(to)
})

test('a successful receipt without the Transfer log is FAILED and raises an alarm', async () => {
  const { api, itemIds, sender, contract } = await makeOnChainCollection(organization, testChain)
  await testChain.node.setCode({ address: contract, bytecode: '0x00' })
  const { body } = await api.post('/v1/mint-requests', { item_id: itemIds[0], to_address: makeRandomAddress() })
  const id = body.mint_requests[0].transaction_id as string
  await sender.run()
  expect((await api.get(`/v1/transactions/${id}`)).body).toMatchObject({ state: 'FAILED', on_chain_status: 'SUCCESS' })
  expect(await openAlarms('mint_without_log')).toMatchObject([{ subject: id }])
})
