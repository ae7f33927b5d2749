import { beforeAll, expect, test } from 'vitest'
import { parseAbiItem, type Address } from 'viem'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import type { Chain } from '../../lib/ports/chain/chain.ts'
import { viemChain } from '../../lib/ports/chain/viem-chain.ts'
import { refuseUpdates } from '../support/as-owner.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeOnChainCollection, makeSender, tokenAbi721 } from '../support/sending.ts'

let testChain: TestChain
let organization: TestOrganization

beforeAll(async () => {
  testChain = await startChain()
  organization = await makeOrganization()
})

/** Replaces the last blocks by empty ones. */
const reorg = (depth: number) => testChain.client.request({ method: 'anvil_reorg', params: [depth, []] } as never)

const mintsOf = (contract: Address) =>
  testChain.client.getLogs({
    address: contract,
    event: parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 indexed id)'),
    fromBlock: 0n,
  })

/** The submitted transactions of a contract that are in no block as far as we know. */
const waitingIn = (contract: Address) =>
  organization.ctx.db.transaction.count({
    where: { collection: { contractAddress: contract }, state: 'SUBMITTED', blockNumber: null },
  })

test.each([1, 3, 12])(
  'a mint undone by a reorg of %i blocks is rebroadcast from its stored bytes and mined once',
  async (depth) => {
    const { api, itemIds, contract, sender } = await makeOnChainCollection(organization, testChain)
    await testChain.node.mine({ blocks: 20 })
    const to = makeRandomAddress()
    const { body } = await api.post('/v1/mint-requests', { item_id: itemIds[0], to_address: to })
    const id = body.mint_requests[0].transaction_id as string
    await sender.run()
    const before = (await api.get(`/v1/transactions/${id}`)).body
    expect(before.state).toBe('COMPLETED')
    await testChain.node.mine({ blocks: depth - 1 })
    await sender.watch()

    await testChain.node.setAutomine(false)
    await reorg(depth)
    expect(await mintsOf(contract)).toHaveLength(0)
    await sender.watch()
    expect((await api.get(`/v1/transactions/${id}`)).body).toMatchObject({
      state: 'SUBMITTED',
      on_chain_status: null,
      block_number: null,
    })
    expect((await api.get(`/v1/mint-requests/${id}`)).body.state).toBe('SUBMITTED')
    await testChain.node.setAutomine(true)
    await testChain.node.mine({ blocks: 1 })
    await sender.watch()

    expect((await api.get(`/v1/transactions/${id}`)).body).toMatchObject({
      state: 'COMPLETED',
      tx_hash: before.tx_hash,
      nonce: before.nonce,
    })
    expect((await api.get(`/v1/mint-requests/${id}`)).body.state).toBe('COMPLETED')
    expect(await mintsOf(contract)).toHaveLength(1)
    expect(
      await testChain.client.readContract({ address: contract, abi: tokenAbi721, functionName: 'ownerOf', args: [1n] }),
    ).toBe(to)
  },
)

test('what a reorg undid is taken back by the next pass where the database refused it at first', async () => {
  const { api, itemIds, contract, sender } = await makeOnChainCollection(organization, testChain)
  const { body } = await api.post('/v1/mint-requests', { item_id: itemIds[0], to_address: makeRandomAddress() })
  await sender.run()
  await testChain.node.setAutomine(false)
  await reorg(1)
  const permit = await refuseUpdates('transactions', `OLD.id = '${body.mint_requests[0].transaction_id}'`)
  await sender.watch()
  expect((await api.get(`/v1/mint-requests/${body.mint_requests[0].id}`)).body.state).toBe('COMPLETED')
  await permit()
  await sender.watch()
  await testChain.node.setAutomine(true)
  await testChain.node.mine({ blocks: 1 })
  await sender.watch()
  expect(await mintsOf(contract)).toHaveLength(1)
  expect((await api.get(`/v1/mint-requests/${body.mint_requests[0].id}`)).body.state).toBe('COMPLETED')
})

test.each([
  ['is completed', 1],
  ['waits for more blocks', 40],
])(
  'a transaction that %s and was undone is sent again once its node knows the block there',
  async (_, confirmations) => {
    const network = { ...testChain.network, finality: 'depth' as const, confirmations }
    const chain = viemChain(network, [testChain.rpcUrl])
    let unknown: bigint | null = null
    const lagging: Chain = {
      ...chain,
      block: (number) => (number === unknown ? Promise.resolve(null) : chain.block(number)),
    }
    const { api, itemIds, contract } = await makeOnChainCollection(organization, testChain)
    const sender = makeSender({ ...testChain, chain: lagging })
    await api.post('/v1/mint-requests', { item_id: itemIds[0], to_address: makeRandomAddress() })
    await sender.run()
    unknown = await testChain.client.getBlockNumber()
    await testChain.node.mine({ blocks: 2 })
    await sender.watch()

    await testChain.node.setAutomine(false)
    await reorg(3)
    await sender.watch()
    expect(await waitingIn(contract)).toBe(0)
    unknown = null
    await sender.watch()
    expect(await waitingIn(contract)).toBe(1)
    await testChain.node.setAutomine(true)
    await testChain.node.mine({ blocks: 1 })
    expect(await mintsOf(contract)).toHaveLength(1)
  },
)

test('a deployment and a mint undone by one reorg are both mined again, in order', async () => {
  const { api, itemIds, contract, sender } = await makeOnChainCollection(organization, testChain)
  await api.post('/v1/mint-requests', { item_id: itemIds[0], to_address: makeRandomAddress() })
  await sender.run()
  await testChain.node.setAutomine(false)
  await reorg(3)
  await sender.watch()
  await testChain.node.mine({ blocks: 1 })
  await testChain.node.setAutomine(true)
  await sender.watch()
  expect(await mintsOf(contract)).toHaveLength(1)
  const states = await organization.ctx.db.transaction.findMany({
    where: { collection: { contractAddress: contract } },
  })
  expect(states.map(({ state }) => state)).toEqual(['COMPLETED', 'COMPLETED'])
})

/**
 * A mint that a reorg of one block undoes while no worker runs, and that is sent again after so many blocks. Returns
 * how often it is on the chain.
 */
async function mintAcrossDowntime(chain: TestChain, blocks: number): Promise<number> {
  const { api, itemIds, contract, sender } = await makeOnChainCollection(organization, chain)
  await api.post('/v1/mint-requests', { item_id: itemIds[0], to_address: makeRandomAddress() })
  await sender.run()
  await testChain.node.setAutomine(false)
  await reorg(1)
  await testChain.node.mine({ blocks })
  sender.restart()
  await sender.watch()
  await testChain.node.setAutomine(true)
  await testChain.node.mine({ blocks: 1 })
  await sender.watch()
  return (await mintsOf(contract)).length
}

test('a reorg during downtime is found after a restart', async () => {
  expect(await mintAcrossDowntime(testChain, 3)).toBe(1)
})

test('a reorg of one block that is noticed many blocks later is undone without an alarm about its depth', async () => {
  const network = { ...testChain.network, finality: 'depth' as const, reorgWindow: 8 }
  const chain = viemChain(network, [testChain.rpcUrl])
  expect(await mintAcrossDowntime({ ...testChain, chain }, 30)).toBe(1)
  expect(await systemContext().db.alarm.count({ where: { kind: 'reorg_too_deep' } })).toBe(0)
})

/**
 * A chain on which a mint is completed some blocks below the head, and whose node doesn't know the last 10 blocks while
 * `isBehind`.
 */
async function mintBelow(chain: Chain) {
  const state = { isBehind: false }
  const last = async () => (await chain.head()).number - (state.isBehind ? 10n : 0n)
  const lagging = {
    ...chain,
    head: async () => (await chain.block(await last()))!,
    block: async (number: bigint) => (number > (await last()) ? null : chain.block(number)),
  }
  await testChain.node.mine({ blocks: 20 })
  const { api, itemIds, contract, sender } = await makeOnChainCollection(organization, { ...testChain, chain: lagging })
  const { body } = await api.post('/v1/mint-requests', { item_id: itemIds[0], to_address: makeRandomAddress() })
  await sender.run()
  await testChain.node.mine({ blocks: 3 })
  return {
    sender,
    stateOf: async () => (await api.get(`/v1/mint-requests/${body.mint_requests[0].id}`)).body.state as string,
    /** A pass of which the node is behind, and then a reorg that undoes the mint. */
    async reorgBehind() {
      state.isBehind = true
      await sender.watch()
      state.isBehind = false
      await testChain.node.setAutomine(false)
      await reorg(5)
      await sender.watch()
    },
    /** The mints on the chain, once what waits is mined. */
    async mintedAgain() {
      await testChain.node.setAutomine(true)
      await sender.watch()
      await testChain.node.mine({ blocks: 1 })
      await sender.watch()
      return (await mintsOf(contract)).length
    },
  }
}

test('a reorg is noticed although the node was behind in the pass before', async () => {
  const network = { ...testChain.network, finality: 'depth' as const, reorgWindow: 64 }
  const { sender, stateOf, reorgBehind, mintedAgain } = await mintBelow(viemChain(network, [testChain.rpcUrl]))
  await sender.watch()
  await reorgBehind()
  expect(await stateOf()).toBe('SUBMITTED')
  expect(await mintedAgain()).toBe(1)
  expect(await stateOf()).toBe('COMPLETED')
})

test('what a reorg undid that nobody noticed is broadcast again before it counts as final', async () => {
  const network = { ...testChain.network, finality: 'depth' as const, reorgWindow: 8 }
  const { sender, stateOf, reorgBehind, mintedAgain } = await mintBelow(viemChain(network, [testChain.rpcUrl]))
  // After a restart the first head that is named is remembered.
  sender.restart()
  await reorgBehind()
  expect(await stateOf()).toBe('COMPLETED')
  await testChain.node.mine({ blocks: 20 })
  await sender.watch()
  expect(await stateOf()).toBe('SUBMITTED')
  expect(await mintedAgain()).toBe(1)
  expect(await stateOf()).toBe('COMPLETED')
})

test('a transaction that its node doesn’t know any more is in no block, until a node knows it again', async () => {
  const network = { ...testChain.network, finality: 'depth' as const, confirmations: 3 }
  const chain = viemChain(network, [testChain.rpcUrl])
  let hasForgotten = false
  const forgetful: Chain = {
    ...chain,
    receipt: (hash) => (hasForgotten ? Promise.resolve(null) : chain.receipt(hash)),
    nonce: async (operator, at) => (await chain.nonce(operator, at)) - (hasForgotten ? 1 : 0),
  }
  const { api, itemIds } = await makeOnChainCollection(organization, testChain)
  const sender = makeSender({ ...testChain, chain: forgetful })
  const { body } = await api.post('/v1/mint-requests', { item_id: itemIds[0], to_address: makeRandomAddress() })
  const read = async () => {
    const row = await organization.ctx.db.transaction.findFirstOrThrow({
      where: { id: body.mint_requests[0].transaction_id },
    })
    return [row.state, row.blockNumber !== null]
  }
  await sender.run()
  expect(await read()).toEqual(['SUBMITTED', true])
  await testChain.node.mine({ blocks: 5 })
  hasForgotten = true
  await sender.watch()
  expect(await read()).toEqual(['SUBMITTED', false])
  hasForgotten = false
  await sender.watch()
  expect(await read()).toEqual(['COMPLETED', true])
})

test('a cancellation undone by a reorg stays CANCELLED, and its nonce is used again by an empty transaction', async () => {
  const { api, itemIds, contract, sender } = await makeOnChainCollection(organization, testChain)
  const { body } = await api.post('/v1/mint-requests', { item_id: itemIds[0], to_address: makeRandomAddress() })
  const id = body.mint_requests[0].transaction_id as string
  await testChain.node.setAutomine(false)
  await sender.submitAll()
  await api.post(`/v1/transactions/${id}/cancel`)
  await sender.watch()
  await testChain.node.mine({ blocks: 1 })
  await sender.watch()
  await reorg(1)
  await sender.watch()
  await testChain.node.mine({ blocks: 1 })
  await testChain.node.setAutomine(true)
  await sender.watch()
  expect((await api.get(`/v1/transactions/${id}`)).body.state).toBe('CANCELLED')
  expect((await api.get(`/v1/mint-requests/${id}`)).body.state).toBe('CANCELLED')
  expect(await mintsOf(contract)).toHaveLength(0)
})
