import { afterEach, beforeAll, expect, test } from 'vitest'
import { type Address, type Hex, parseAbi, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { rotateMinter } from '../../lib/catalog/collections/rotate-minter.ts'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { encodeSetRoles, ROLES } from '../../lib/core/contracts/calls.ts'
import { keyFor } from '../../lib/core/secrets.ts'
import { countOperatorUses } from '../../lib/data/keys/count-operator-uses.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { envKeyring } from '../../lib/ports/chain/env-keyring.ts'
import { replacePorts } from '../../lib/ports/ports.ts'
import { checkOperators } from '../../lib/worker/check-operators.ts'
import { startChain, type TestChain, withoutMining } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { receiptOf } from '../support/receipt-of.ts'
import { makeOnChainCollection, makeSender, tokenAbi721 } from '../support/sending.ts'

let testChain: TestChain
let organization: TestOrganization
const otherKey = generatePrivateKey()
const other = privateKeyToAccount(otherKey)

beforeAll(async () => {
  testChain = await startChain()
  organization = await makeOrganization()
  await testChain.node.setBalance({ address: other.address, value: parseEther('100') })
})

afterEach(() => {
  resetClock()
  useKeys(testChain.operatorKey)
})

const useKeys = (...keys: Hex[]) => replacePorts({ keys: envKeyring(keys, keyFor('voucher-signer')) })
const openAlarms = (kind: string) =>
  systemContext('test').db.alarm.findMany({
    where: { kind, resolvedAt: null },
    select: { subject: true, detail: true },
  })
const senderOf = (operator: TestChain['operator']) => makeSender({ ...testChain, operator })

const minterOf = async (id: string) => (await organization.ctx.db.collection.findFirstOrThrow({ where: { id } })).minter
const rolesOf = (address: Address, account: Address) =>
  testChain.client.readContract({
    address,
    abi: parseAbi(['function rolesOf(address account) view returns (uint256)']),
    functionName: 'rolesOf',
    args: [account],
  })

async function makeMint(more: object = {}) {
  const made = await makeOnChainCollection(organization, testChain, { items: 2, platform: more })
  const to = makeRandomAddress()
  const { body } = await made.api.post('/v1/mint-requests', { item_id: made.itemIds[0], to_address: to })
  const { id, transaction_id: transactionId } = body.mint_requests[0]
  const stateOf = async () => (await made.api.get(`/v1/mint-requests/${id}`)).body.state as string
  return { ...made, to, stateOf, transactionId: transactionId as string }
}

test('without its operator’s key a collection’s transactions wait, an alarm names the address, and nothing fails', async () => {
  const { sender, stateOf } = await makeMint()
  useKeys(otherKey)
  expect(await senderOf(other).submitAll()).toEqual(['idle'])
  await checkOperators(systemContext('test'))
  expect(await stateOf()).toBe('WAITING')
  expect(await openAlarms('operator_missing')).toMatchObject([
    { subject: `31337:${testChain.operator.address}`, detail: expect.stringContaining(testChain.operator.address) },
  ])
  useKeys(testChain.operatorKey)
  await sender.run()
  await checkOperators(systemContext('test'))
  expect(await stateOf()).toBe('COMPLETED')
  expect(await openAlarms('operator_missing')).toEqual([])
})

test('bytes that a missing key has signed are broadcast again and mined', async () => {
  const { sender, stateOf, transactionId } = await makeMint()
  await testChain.node.setAutomine(false)
  await sender.submitAll()
  const { txHash } = await organization.ctx.db.transaction.findFirstOrThrow({ where: { id: transactionId } })
  await testChain.node.dropTransaction({ hash: txHash as Hex })
  useKeys(otherKey)
  moveClock(60_000)
  await sender.watch()
  await checkOperators(systemContext('test'))
  expect(await openAlarms('operator_missing')).toHaveLength(1)
  await testChain.node.mine({ blocks: 1 })
  await testChain.node.setAutomine(true)
  await sender.watch()
  expect(await stateOf()).toBe('COMPLETED')
})

test('another operator takes over the minter role, sends what waits, and the old one loses its role', async () => {
  const { sender, stateOf, contract, collectionId, to, api, itemIds } = await makeMint()
  const worker = systemContext('test')
  const rotation = { from: testChain.operator.address, to: other.address }
  useKeys(testChain.operatorKey, otherKey)
  const { requested, byOwner } = await rotateMinter(worker, rotation)
  expect(requested).toContain(collectionId)
  expect(byOwner).toEqual([])
  expect((await rotateMinter(worker, rotation)).requested).toEqual([])
  await sender.run()
  expect(await organization.ctx.db.collection.findFirstOrThrow({ where: { id: collectionId } })).toMatchObject({
    minter: other.address,
  })
  expect((await rotateMinter(worker, { ...rotation, withdraw: true })).requested).toContain(collectionId)
  await sender.run()
  await senderOf(other).run()
  expect(await stateOf()).toBe('COMPLETED')

  useKeys(otherKey)
  const second = makeRandomAddress()
  await api.post('/v1/mint-requests', { item_id: itemIds[1], to_address: second })
  await senderOf(other).run()
  const ownerOf = (tokenId: bigint) =>
    testChain.client.readContract({ address: contract, abi: tokenAbi721, functionName: 'ownerOf', args: [tokenId] })
  expect([await ownerOf(1n), await ownerOf(2n)]).toEqual([to, second])
  expect(await rolesOf(contract, testChain.operator.address)).toBe(0n)
})

test('a contract of another owner is listed, and the new operator takes over once the owner has set its role', async () => {
  const owner = makeRandomAddress()
  const { collectionId, contract } = await makeMint({ owner })
  useKeys(testChain.operatorKey, otherKey)
  const rotate = () => rotateMinter(systemContext('test'), { from: testChain.operator.address, to: other.address })
  const { requested, byOwner } = await rotate()
  expect(requested).not.toContain(collectionId)
  expect(byOwner).toContainEqual({ id: collectionId, contract, owner })
  await testChain.node.impersonateAccount({ address: owner })
  await testChain.node.setBalance({ address: owner, value: parseEther('1') })
  const data = encodeSetRoles(other.address, ROLES.MINTER)
  await receiptOf(testChain.client, await testChain.node.sendUnsignedTransaction({ from: owner, to: contract, data }))
  expect((await rotate()).byOwner).not.toContainEqual({ id: collectionId, contract, owner })
  expect(await minterOf(collectionId)).toBe(other.address)
})

test('the role of an operator is withdrawn by another one only when nothing that it has signed can be mined any more', async () => {
  const { sender, collectionId, api, itemIds } = await makeMint()
  const worker = systemContext('test')
  useKeys(testChain.operatorKey, otherKey)
  const [first, second] = [testChain.operator.address, other.address]
  await rotateMinter(worker, { from: first, to: second })
  await sender.run()
  const { body } = await api.post('/v1/mint-requests', { item_id: itemIds[1], to_address: makeRandomAddress() })
  const { id, transaction_id } = body.mint_requests[0]
  await withoutMining(testChain, async () => {
    await senderOf(other).submitAll()
    const { txHash } = await organization.ctx.db.transaction.findFirstOrThrow({ where: { id: transaction_id } })
    await testChain.node.dropTransaction({ hash: txHash as Hex })
    await rotateMinter(worker, { from: second, to: first })
    await sender.submitAll()
    await testChain.node.mine({ blocks: 1 })
    await sender.watch()
  })
  expect(await minterOf(collectionId)).toBe(first)
  const withdraw = async () => {
    const rotated = await rotateMinter(worker, { from: second, to: first, withdraw: true })
    const found = (['requested', 'underWay', 'waiting'] as const).filter((kind) => rotated[kind].includes(collectionId))
    return found.join()
  }
  expect(await withdraw()).toBe('waiting')
  expect(await countOperatorUses(worker, second)).toMatchObject({ transactions: 1 })

  moveClock(60_000)
  await sender.watch() // broadcasts its bytes again
  await sender.mined()
  await sender.watch()
  expect((await api.get(`/v1/mint-requests/${id}`)).body.state).toBe('COMPLETED')
  expect(await withdraw()).toBe('requested')
  expect(await withdraw()).toBe('underWay')
  await sender.run()
  expect(await withdraw()).toBe('')
  expect(await countOperatorUses(worker, second)).toMatchObject({ transactions: 0 })
})

test('operators that take over from each other again and again lose their role each time', async () => {
  const { sender, collectionId, contract } = await makeMint()
  const worker = systemContext('test')
  useKeys(testChain.operatorKey, otherKey)
  const pair = [testChain.operator.address, other.address] as const
  for (const turn of [0, 1, 0]) {
    const [from, to] = [pair[turn]!, pair[1 - turn]!]
    await rotateMinter(worker, { from, to })
    await sender.run()
    expect((await rotateMinter(worker, { from, to, withdraw: true })).requested).toContain(collectionId)
    await sender.run()
    expect([await rolesOf(contract, from), await rolesOf(contract, to)]).toEqual([0n, ROLES.MINTER])
  }
})

test('what a collection needs waits while a reorg has undone the role of its new operator, and does not fail', async () => {
  const { sender, collectionId, stateOf, api, itemIds } = await makeMint()
  useKeys(testChain.operatorKey, otherKey)
  await sender.run()
  await rotateMinter(systemContext('test'), { from: testChain.operator.address, to: other.address })
  await sender.run()
  expect([await stateOf(), await minterOf(collectionId)]).toEqual(['COMPLETED', other.address])
  const { body } = await api.post('/v1/mint-requests', { item_id: itemIds[1], to_address: makeRandomAddress() })
  const mint = async () => (await api.get(`/v1/mint-requests/${body.mint_requests[0].id}`)).body.state
  await api.patch(`/v1/collections/${collectionId}`, { royalty_info: { receiver: other.address, amount_bps: 250 } })
  const royalty = async () =>
    (await organization.ctx.db.transaction.findFirstOrThrow({ where: { collectionId, txType: 'SET_ROYALTY' } })).state
  await withoutMining(testChain, async () => {
    await testChain.client.request({ method: 'anvil_reorg', params: [1, []] } as never)
    await sender.watch()
    await testChain.client.request({ method: 'anvil_dropAllTransactions' } as never)
    await senderOf(other).submitAll()
    expect([await mint(), await royalty()]).toEqual(['WAITING', 'PENDING'])
    moveClock(60_000)
    await sender.watch() // broadcasts the bytes that set the role again
    await testChain.node.mine({ blocks: 1 })
  })
  await sender.watch()
  await senderOf(other).run()
  expect([await mint(), await royalty()]).toEqual(['COMPLETED', 'COMPLETED'])
})
