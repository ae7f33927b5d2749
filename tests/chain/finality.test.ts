import { afterEach, beforeAll, expect, test } from 'vitest'
import { viemChain } from '../../lib/ports/chain/viem-chain.ts'
import { resetClock } from '../../lib/core/clock.ts'
import { laneOf } from '../../lib/onchain/transactions/lane.ts'
import { makeFinal } from '../../lib/onchain/transactions/make-final.ts'
import { tipOf } from '../../lib/onchain/transactions/tip.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeOnChainCollection, makeSender } from '../support/sending.ts'

let testChain: TestChain
let organization: TestOrganization

beforeAll(async () => {
  testChain = await startChain()
  organization = await makeOrganization()
})
afterEach(resetClock)

const CONFIRMATIONS = 3
const FINAL_DEPTH = 64

/** The local chain as one with a finalized tag (in anvil 64 blocks deep) that needs 3 confirmations. */
function withFinality(): TestChain {
  const chain = viemChain({ ...testChain.network, finality: 'tag', confirmations: CONFIRMATIONS }, [testChain.rpcUrl])
  replacePorts({ chains: new Map([[31337, chain]]) })
  return { ...testChain, chain }
}

test('a mint is COMPLETED after its confirmations, and FAILED only when final', async () => {
  const { api, itemIds } = await makeOnChainCollection(organization, testChain, {
    items: 2,
    variant: 'ERC1155',
    max_supply: 5,
  })
  const sender = makeSender(withFinality())
  const rejecting = makeRandomAddress()
  const { body } = await api.post('/v1/mint-requests', {
    item_ids: itemIds,
    to_addresses: [makeRandomAddress(), rejecting],
  })
  const id = body.mint_requests[0].transaction_id as string
  await testChain.node.setCode({ address: rejecting, bytecode: '0x60006000fd' })
  await sender.run()
  const transaction = async () => (await api.get(`/v1/transactions/${id}`)).body
  const states = async () =>
    (await api.get(`/v1/mint-requests/${id}`)).body.mint_requests.map((mint: { state: string }) => mint.state)
  const held = async () => (await organization.ctx.db.item.findFirstOrThrow({ where: { id: itemIds[1]! } })).held

  expect(await transaction()).toMatchObject({ state: 'SUBMITTED', block_number: expect.any(Number) })
  // What is in a block leaves its lane.
  const lane = await laneOf(systemContext('test'), ports().chains.get(31337)!, testChain.operator.address)
  expect(lane.inFlight).toBe(0)
  await testChain.node.mine({ blocks: CONFIRMATIONS - 2 })
  await sender.watch()
  expect((await transaction()).state).toBe('SUBMITTED')
  await testChain.node.mine({ blocks: 1 })
  await sender.watch()
  expect((await transaction()).state).toBe('COMPLETED')
  expect(await states()).toEqual(['COMPLETED', 'SUBMITTED'])
  expect(await held()).toBe(1n)

  await testChain.node.mine({ blocks: FINAL_DEPTH + 2 })
  await sender.watch()
  expect(await states()).toEqual(['COMPLETED', 'FAILED'])
  expect(await held()).toBe(0n)
  expect((await organization.ctx.db.transaction.findFirstOrThrow({ where: { id } })).finalAt).not.toBeNull()
})

test('a lagging node does not undo a completed transaction', async () => {
  const { api, itemIds } = await makeOnChainCollection(organization, testChain)
  const { chain } = withFinality()
  const sender = makeSender({ ...testChain, chain })
  const { body } = await api.post('/v1/mint-requests', { item_id: itemIds[0], to_address: makeRandomAddress() })
  await sender.run()
  await testChain.node.mine({ blocks: CONFIRMATIONS })
  await sender.watch()
  const transaction = async () => (await api.get(`/v1/transactions/${body.mint_requests[0].transaction_id}`)).body
  expect((await transaction()).state).toBe('COMPLETED')

  const head = await chain.head()
  const behind = head.number - 10n
  const lagging = {
    ...chain,
    head: async () => (await chain.block(behind))!,
    block: async (number: bigint) => (number > behind ? null : chain.block(number)),
    receipt: async () => null,
  }
  const laggingSender = makeSender({ ...testChain, chain: lagging })
  await laggingSender.watch()
  expect((await transaction()).state).toBe('COMPLETED')
})

test('a transaction becomes CANCELLED only when the cancellation is final', async () => {
  const { api, itemIds } = await makeOnChainCollection(organization, testChain)
  const sender = makeSender(withFinality())
  const { body } = await api.post('/v1/mint-requests', { item_id: itemIds[0], to_address: makeRandomAddress() })
  const id = body.mint_requests[0].transaction_id as string
  await testChain.node.setAutomine(false)
  await sender.submitAll()
  await api.post(`/v1/transactions/${id}/cancel`)
  await sender.watch()
  await testChain.node.mine({ blocks: CONFIRMATIONS + 1 })
  await testChain.node.setAutomine(true)
  await sender.watch()
  expect((await api.get(`/v1/transactions/${id}`)).body.state).toBe('SUBMITTED')
  await testChain.node.mine({ blocks: FINAL_DEPTH + 2 })
  await sender.watch()
  expect((await api.get(`/v1/transactions/${id}`)).body.state).toBe('CANCELLED')
})

test('transactions of which no node has a receipt hold up none of the later ones, however many they are', async () => {
  const { collectionId } = await makeOnChainCollection(organization, testChain, { items: 0 })
  const { transaction } = organization.ctx.db
  const { payload: _, ...mined } = await transaction.findFirstOrThrow({ where: { collectionId } })
  const hexOf = (at: number) => at.toString(16).padStart(12, '0')
  const lost = Array.from({ length: 50 }, (_, at) => ({
    ...mined,
    id: `00000000-0000-7000-8000-${hexOf(at)}`,
    txHash: `0x${hexOf(at).padStart(64, '0')}`,
  }))
  await transaction.createMany({ data: lost })
  await testChain.node.mine({ blocks: FINAL_DEPTH + 2 })
  const { chain } = withFinality()
  await makeFinal(systemContext('test'), chain, await tipOf(chain))
  const final = await transaction.findMany({ where: { collectionId, finalAt: { not: null } } })
  expect(final.map(({ id }) => id)).toEqual([mined.id])
})
