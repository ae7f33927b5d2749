import { afterEach, beforeAll, expect, test } from 'vitest'
import { parseEther, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { rotateMinter } from '../../lib/catalog/collections/rotate-minter.ts'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { keyFor } from '../../lib/core/secrets.ts'
import { workerContext } from '../../lib/platform/auth/authenticate.ts'
import { envKeyring } from '../../lib/ports/chain/env-keyring.ts'
import { replacePorts } from '../../lib/ports/ports.ts'
import { checkOperators } from '../../lib/worker/check-operators.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
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
  workerContext('test').db.alarm.findMany({
    where: { kind, resolvedAt: null },
    select: { subject: true, detail: true },
  })
const senderOf = (operator: TestChain['operator']) => makeSender({ ...testChain, operator })

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
  await checkOperators(workerContext('test'))
  expect(await stateOf()).toBe('WAITING')
  expect(await openAlarms('operator_missing')).toMatchObject([
    { subject: `31337:${testChain.operator.address}`, detail: expect.stringContaining(testChain.operator.address) },
  ])
  useKeys(testChain.operatorKey)
  await sender.run()
  await checkOperators(workerContext('test'))
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
  await checkOperators(workerContext('test'))
  expect(await openAlarms('operator_missing')).toHaveLength(1)
  await testChain.node.mine({ blocks: 1 })
  await testChain.node.setAutomine(true)
  await sender.watch()
  expect(await stateOf()).toBe('COMPLETED')
})

test('another operator takes over the minter role, sends what waits, and the old one loses its role', async () => {
  const { sender, stateOf, contract, collectionId, to, api, itemIds } = await makeMint()
  const worker = workerContext('test')
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
  const roles = await testChain.client.readContract({
    address: contract,
    abi: [
      {
        type: 'function',
        name: 'rolesOf',
        stateMutability: 'view',
        inputs: [{ name: 'account', type: 'address' }],
        outputs: [{ name: 'roles', type: 'uint256' }],
      },
    ],
    functionName: 'rolesOf',
    args: [testChain.operator.address],
  })
  expect(roles).toBe(0n)
})

test('a contract of another owner is listed, and its owner is named', async () => {
  const owner = makeRandomAddress()
  const { collectionId, contract } = await makeMint({ owner })
  useKeys(testChain.operatorKey, otherKey)
  const { requested, byOwner } = await rotateMinter(workerContext('test'), {
    from: testChain.operator.address,
    to: other.address,
  })
  expect(requested).not.toContain(collectionId)
  expect(byOwner).toContainEqual({ id: collectionId, contract, owner })
})
