import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'

vi.hoisted(() => Object.assign(process.env, { OPEN_INTENTS_PER_CLIENT: '0', PROOF_OF_WORK: 'off' }))

import type { Hex } from 'viem'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { viemChain } from '../../lib/ports/chain/viem-chain.ts'
import { replacePorts } from '../../lib/ports/ports.ts'
import { call } from '../support/call.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { catchUpWith } from '../support/indexing.ts'
import { drainJobs } from '../support/jobs.ts'
import { startNodeProxy } from '../support/node-proxy.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeRedeemableClaims } from '../support/redeemable-claims.ts'
import { buy, connectCards, deliverCardEvents, makeAddressBuyer, makeListing, pay } from '../support/selling.ts'
import { makeOnChainCollection, makeSender, unitsOf } from '../support/sending.ts'

vi.setConfig({ testTimeout: 60_000 })

let testChain: TestChain
let organization: TestOrganization

beforeAll(async () => {
  testChain = await startChain()
  organization = await makeOrganization()
  await connectCards(organization)
})
afterEach(() => {
  resetClock()
  replacePorts({ chains: new Map([[testChain.network.id, testChain.chain]]) })
})

const FINAL_DEPTH = 64

type Told = { status: Hex; logs: object[]; blockNumber: Hex; blockHash: Hex }
/** How a receipt is changed. */
const LIES = {
  'of a revert': (receipt: Told) => ({ ...receipt, status: '0x0', logs: [] }),
  'without logs': (receipt: Told) => ({ ...receipt, logs: [] }),
} satisfies Record<string, (receipt: Told) => object>
type Lie = keyof typeof LIES

/** A network with a finalized block whose first node lies about receipts, or is the only one. */
async function startLying({ isAlone = false } = {}) {
  const liar = await startNodeProxy(testChain.rpcUrl)
  const network = { ...testChain.network, finality: 'tag' as const, confirmations: 2 }
  const chain = viemChain(network, isAlone ? [liar.url] : [liar.url, testChain.rpcUrl, testChain.rpcUrl])
  replacePorts({ chains: new Map([[network.id, chain]]) })
  const sender = makeSender({ ...testChain, chain })
  return {
    liar,
    chain,
    sender,
    lie(kind: Lie): void {
      liar.distort = ({ method }, result) =>
        method === 'eth_getTransactionReceipt' && result ? LIES[kind](result as Told) : result
    },
    tellTheTruth(): void {
      liar.distort = (_, result) => result
    },
    async confirm(): Promise<void> {
      await testChain.node.mine({ blocks: 1 })
      await sender.watch()
    },
    /** Some passes after the block became final, with time for what is tried again. */
    async finalize(): Promise<void> {
      await testChain.node.mine({ blocks: FINAL_DEPTH + 2 })
      for (let pass = 0; pass < 6; pass++) {
        await sender.watch()
        moveClock(120_000)
      }
    },
  }
}

const openAlarms = () => systemContext('test').db.alarm.findMany({ where: { resolvedAt: null, kind: 'row_stuck' } })

async function requestMint(variant: 'ERC721' | 'ERC1155') {
  const onChain = await makeOnChainCollection(organization, testChain, {
    variant,
    ...(variant === 'ERC1155' && { max_supply: 5 }),
  })
  const to = makeRandomAddress()
  const { body } = await onChain.api.post('/v1/mint-requests', { item_id: onChain.itemIds[0], to_address: to })
  const [{ id, transaction_id: transactionId }] = body.mint_requests
  const read = async () => ({
    mint: (await onChain.api.get(`/v1/mint-requests/${id}`)).body,
    transaction: (await onChain.api.get(`/v1/transactions/${transactionId}`)).body,
  })
  return { ...onChain, to, id, transactionId, read }
}

describe.each(['ERC721', 'ERC1155'] as const)('%s', (variant) => {
  test.each(Object.keys(LIES) as Lie[])(
    'a final receipt %s by the first of three nodes fails no mint: it is delivered, entered or not',
    async (lie) => {
      const entered = await requestMint(variant)
      const left = await requestMint(variant)
      const network = await startLying()
      network.lie(lie)
      await network.sender.submitAll()
      await catchUpWith(network.chain)
      await network.finalize()
      for (const { read } of [entered, left])
        expect(await read()).toMatchObject({
          mint: { state: 'COMPLETED' },
          transaction: { state: 'COMPLETED', on_chain_status: 'SUCCESS', failure: null },
        })
      expect(await openAlarms()).toEqual([])
    },
  )

  test('a mint that the only node calls reverted, though the index and the contract have it, is delivered at finality', async () => {
    const { read, itemIds } = await requestMint(variant)
    const network = await startLying({ isAlone: true })
    network.lie('of a revert')
    await network.sender.submitAll()
    await catchUpWith(network.chain)
    await network.confirm()
    expect((await read()).mint.state).toBe('SUBMITTED')
    await network.finalize()
    expect(await read()).toMatchObject({
      mint: { state: 'COMPLETED' },
      transaction: { state: 'COMPLETED', on_chain_status: 'SUCCESS' },
    })
    expect(await organization.ctx.db.item.findFirst({ where: { id: itemIds[0]! } })).toMatchObject({
      minted: 1n,
      held: 0n,
    })
  })

  test('a mint that the only node calls reverted, and of which it gives no log, waits with an alarm: the contract has it', async () => {
    const { read } = await requestMint(variant)
    const network = await startLying({ isAlone: true })
    network.lie('of a revert')
    await network.sender.submitAll()
    await network.finalize()
    expect((await read()).mint.state).toBe('SUBMITTED')
    expect(await openAlarms()).toHaveLength(1)
    await catchUpWith(network.chain)
    moveClock(3_600_000)
    await network.sender.watch()
    expect((await read()).mint.state).toBe('COMPLETED')
    expect(await openAlarms()).toEqual([])
  })
})

test('a wrong receipt before finality is replaced by the right one, whichever was recorded', async () => {
  const failed = await requestMint('ERC721')
  const network = await startLying()
  network.lie('of a revert')
  await network.sender.submitAll()
  await network.confirm()
  await network.confirm()
  expect(await failed.read()).toMatchObject({
    mint: { state: 'SUBMITTED' },
    transaction: { state: 'COMPLETED', on_chain_status: 'FAILURE' },
  })
  network.tellTheTruth()
  await network.finalize()
  expect(await failed.read()).toMatchObject({
    mint: { state: 'COMPLETED' },
    transaction: { state: 'COMPLETED', on_chain_status: 'SUCCESS', failure: null },
  })
})

test('two units are never given for one claim whose receipt and logs the first node hides', async () => {
  const { collectionId, contract, itemIds } = await makeOnChainCollection(organization, testChain, {
    variant: 'ERC1155',
    max_supply: 5,
  })
  const [claim] = await makeRedeemableClaims(organization, collectionId, itemIds)
  const { liar, ...network } = await startLying({ isAlone: true })
  const to = makeRandomAddress()
  const redeem = () =>
    call('POST', `/public/v1/email-claims/${claim!.token}/redeem`, { body: { pin: claim!.pin, address: to } })
  expect((await redeem()).status).toBe(201)
  network.lie('of a revert')
  liar.refuse = ({ method }) => (method === 'eth_getLogs' ? { code: -32000, message: 'busy' } : null)
  await network.sender.submitAll()
  await network.finalize()
  const read = () => organization.ctx.db.emailClaim.findFirstOrThrow({ where: { id: claim!.id } })
  expect((await read()).state).toBe('REDEEMED')
  liar.refuse = () => null
  await catchUpWith(network.chain)
  moveClock(3_600_000)
  await network.sender.watch()
  expect((await read()).state).toBe('CLAIMED')
  expect(await unitsOf(testChain, { contract, variant: 'ERC1155' }, { owner: to, tokenId: 1n })).toBe(1n)
})

test('a paid purchase isn’t refunded by one node’s receipt', async () => {
  const { collectionId } = await makeOnChainCollection(organization, testChain)
  const listing = await makeListing(organization, { collection_id: collectionId })
  const network = await startLying()
  const { body } = await buy(listing.id, { buyer: makeAddressBuyer() })
  await pay(body.data)
  await deliverCardEvents()
  network.lie('without logs')
  await network.sender.submitAll()
  await catchUpWith(network.chain)
  await network.finalize()
  await drainJobs()
  expect(await organization.ctx.db.purchaseIntent.findFirst({ where: { id: body.id } })).toMatchObject({
    status: 'CONFIRMED',
    fulfillmentStatus: 'COMPLETED',
  })
  expect(await verifyRecords(systemContext('test'))).toEqual([])
})

test('a mint that two nodes call reverted, and the contract doesn’t know, fails whatever a third one says', async () => {
  const { read, contract } = await requestMint('ERC721')
  const code = await testChain.client.getCode({ address: contract })
  const network = await startLying()
  await testChain.node.setAutomine(false)
  await network.sender.submitAll()
  await testChain.node.setCode({ address: contract, bytecode: '0x60006000fd' })
  await testChain.node.mine({ blocks: 1 })
  await testChain.node.setAutomine(true)
  await testChain.node.setCode({ address: contract, bytecode: code! })
  network.liar.distort = ({ method }, result) =>
    method === 'eth_getTransactionReceipt' && result ? { ...(result as Told), status: '0x1' } : result
  await network.finalize()
  const { mint, transaction } = await read()
  expect([mint.state, transaction.on_chain_status]).toEqual(['FAILED', 'FAILURE'])
})

test('a mint whose own transaction the index has isn’t called another’s: it is taken for delivered when it is to be sent again', async () => {
  const { read, id, transactionId, sender, contract, to } = await requestMint('ERC721')
  await sender.submitAll()
  await sender.mined()
  await catchUpWith(testChain.chain)
  const { ctx } = organization
  await ctx.db.transaction.update({
    where: { id: transactionId },
    data: { state: 'PENDING', operator: null, nonce: null, txHash: null, submittedAt: null },
  })
  await ctx.db.mintRequest.update({ where: { id }, data: { state: 'WAITING', txHash: null } })
  await sender.submitAll()
  expect((await read()).mint).toMatchObject({ state: 'COMPLETED' })
  expect(await unitsOf(testChain, { contract, variant: 'ERC721' }, { owner: to, tokenId: 1n })).toBe(1n)
  expect(await verifyRecords(systemContext('test'))).toEqual([])
})

describe('a refusal to estimate gas that comes without data', () => {
  const REFUSAL = { code: -32000, message: 'execution reverted' }
  const refuseEstimates = ({ method }: { method: string }) => (method === 'eth_estimateGas' ? REFUSAL : null)

  test('by one node is asked of a second: the mint is sent', async () => {
    const { read } = await requestMint('ERC721')
    const { liar, sender } = await startLying()
    liar.refuse = refuseEstimates
    await sender.submitAll()
    expect((await read()).mint.state).toBe('SUBMITTED')
    await sender.mined()
    await testChain.node.mine({ blocks: 2 })
    await sender.watch()
    expect((await read()).mint.state).toBe('COMPLETED')
  })

  test('by the only node fails the mint', async () => {
    const { read } = await requestMint('ERC721')
    const { liar, sender } = await startLying({ isAlone: true })
    liar.refuse = refuseEstimates
    await sender.submitAll()
    expect((await read()).mint.state).toBe('FAILED')
  })
})

test('a mint that counts as failed, and a purchase whose units returned, disagree with the hold that the chain consumed', async () => {
  const { collectionId, itemIds, sender } = await makeOnChainCollection(organization, testChain)
  const listing = await makeListing(organization, { collection_id: collectionId })
  const { body } = await buy(listing.id, { buyer: makeAddressBuyer() })
  await pay(body.data)
  await deliverCardEvents()
  await sender.run()
  await catchUpWith(testChain.chain)
  const { ctx } = organization
  const mint = await ctx.db.mintRequest.findFirstOrThrow({ where: { itemId: itemIds[0]! } })
  const disagreements = async () =>
    (await verifyRecords(systemContext('test')))
      .filter(({ subject }) => subject === mint.id || subject === body.id)
      .map(({ check }) => check)
  const tell = async (state: 'FAILED' | 'COMPLETED', unitsState: 'RETURNED' | 'CONFIRMED') => {
    await ctx.db.mintRequest.update({ where: { id: mint.id }, data: { state } })
    await ctx.db.purchaseIntent.update({ where: { id: body.id }, data: { unitsState } })
  }
  expect(await disagreements()).toEqual([])
  await tell('FAILED', 'RETURNED')
  const found = await disagreements()
  await tell('COMPLETED', 'CONFIRMED')
  expect(found).toEqual(
    expect.arrayContaining(['a mint that failed gave nothing', 'a purchase whose units returned was given none']),
  )
})
