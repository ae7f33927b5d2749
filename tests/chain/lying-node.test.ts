import { numberToHex, type Hex } from 'viem'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { indexOnce } from '../../lib/onchain/indexer/index-once.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { viemChain } from '../../lib/ports/chain/viem-chain.ts'
import { sendByHand } from '../support/by-hand.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { catchUpWith } from '../support/indexing.ts'
import { FAILURES, LIES, startLyingNode } from '../support/lying-node.ts'
import { startNodeProxy } from '../support/node-proxy.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeOnChainCollection, makeSender, tokenAbi721 } from '../support/sending.ts'

vi.setConfig({ testTimeout: 180_000 })

let testChain: TestChain
let organization: TestOrganization

beforeAll(async () => {
  testChain = await startChain()
  organization = await makeOrganization()
})
afterEach(resetClock)

const RATE = 0.2

test.each([
  ['says something wrong', { faults: LIES, rate: RATE, isAlone: true }],
  ['fails', { faults: FAILURES, rate: RATE / FAILURES.length, isAlone: true }],
  ['says something wrong and fails', { faults: [...LIES, ...FAILURES], rate: RATE / 2, isAlone: false }],
])(
  'mints through a node that %s at every fifth request: each token is minted once, and none fails',
  async (_, { faults, rate, isAlone }) => {
    const worker = systemContext('test')
    const onChain = await makeOnChainCollection(organization, testChain, { items: 12 })
    await catchUpWith(testChain.chain)
    const lying = await startLyingNode({ target: testChain.rpcUrl, seed: faults.length })
    const urls = isAlone ? [lying.url] : [lying.url, testChain.rpcUrl]
    const chain = viemChain(testChain.network, urls, { timeoutMs: 200 })
    const sender = makeSender({ ...testChain, chain })
    lying.lie(faults, rate)

    const owners = new Map<number, string>()
    for (let at = 0; at < onChain.itemIds.length; at++) {
      const to = makeRandomAddress()
      const { status } = await onChain.api.post('/v1/mint-requests', { item_id: onChain.itemIds[at], to_address: to })
      expect(status).toBe(201)
      owners.set(at + 1, to)
      await work()
    }
    const open = () =>
      organization.ctx.db.mintRequest.count({
        where: { collectionId: onChain.collectionId, state: { in: ['WAITING', 'SUBMITTED'] } },
      })
    for (let rounds = 0; rounds < 200 && (await open()) > 0; rounds++) await work()

    const states = await organization.ctx.db.mintRequest.groupBy({
      by: ['state'],
      where: { collectionId: onChain.collectionId },
      _count: true,
    })
    expect(states).toEqual([{ state: 'COMPLETED', _count: onChain.itemIds.length }])
    for (const [tokenId, owner] of owners)
      expect(
        await testChain.client.readContract({
          address: onChain.contract,
          abi: tokenAbi721,
          functionName: 'ownerOf',
          args: [BigInt(tokenId)],
        }),
      ).toBe(owner)
    expect(Object.values(lying.lies).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(isAlone ? 10 : 0)

    // What the lying node left out is read once more when it is deep enough.
    lying.tellTheTruth()
    await testChain.node.mine({ blocks: testChain.network.reorgWindow + 32 })
    await catchUpWith(testChain.chain)
    await sender.watch()
    expect(await verifyRecords(worker)).toEqual([])
    expect(await worker.db.alarm.findMany({ where: { resolvedAt: null } })).toEqual([])

    /** What the worker does, again and again; what fails is tried again. */
    async function work(): Promise<void> {
      moveClock(10_000)
      await sender.submitAll().catch(() => undefined)
      await sender.watch().catch(() => undefined)
      await indexOnce(worker, chain).catch(() => undefined)
    }
  },
)

describe('a nonce that is said to be used', () => {
  /**
   * A mint that was broadcast and isn't mined, watched through two nodes of which `told` changes what the first, or the
   * second, says.
   */
  async function broadcastMint(told: 'first' | 'second') {
    const { api, itemIds, contract } = await makeOnChainCollection(organization, testChain)
    const proxy = await startNodeProxy(testChain.rpcUrl)
    const urls = told === 'first' ? [proxy.url, testChain.rpcUrl] : [testChain.rpcUrl, proxy.url]
    const sender = makeSender({ ...testChain, chain: viemChain(testChain.network, urls) })
    const to = makeRandomAddress()
    const { body } = await api.post('/v1/mint-requests', { item_id: itemIds[0], to_address: to })
    const id = body.mint_requests[0].transaction_id as string
    await testChain.node.setAutomine(false)
    await sender.submitAll()
    const read = () => organization.ctx.db.transaction.findFirstOrThrow({ where: { id }, include: { signed: true } })
    const watchOften = async () => {
      for (let pass = 0; pass < 5; pass++) await sender.watch()
    }
    const mine = async () => {
      await testChain.node.mine({ blocks: 1 })
      await testChain.node.setAutomine(true)
    }
    return { proxy, sender, contract, to, read, watchOften, mine }
  }
  const alarms = () => systemContext('test').db.alarm.count({ where: { kind: 'nonce_taken', resolvedAt: null } })
  const plus = (count: unknown, by: number): Hex => numberToHex(Number(count) + by)

  test('by one node, which hides the receipt, isn’t believed: the mint waits, and is made once', async () => {
    const { proxy, sender, contract, to, read, watchOften, mine } = await broadcastMint('first')
    proxy.distort = ({ method }, result) =>
      method === 'eth_getTransactionCount' ? plus(result, 1) : method === 'eth_getTransactionReceipt' ? null : result
    await watchOften()
    expect(await read()).toMatchObject({ state: 'SUBMITTED', nonce: expect.any(Number) })
    await mine()
    await watchOften()
    expect(await read()).toMatchObject({ state: 'SUBMITTED', nonce: expect.any(Number) })
    expect(await alarms()).toBe(0)
    proxy.distort = (_, result) => result
    await sender.run()
    const row = await read()
    expect([row.state, row.onChainStatus, row.signed.length]).toEqual(['COMPLETED', 'SUCCESS', 1])
    const address = { address: contract, abi: tokenAbi721 }
    expect(await testChain.client.readContract({ ...address, functionName: 'ownerOf', args: [1n] })).toBe(to)
    expect(await testChain.client.readContract({ ...address, functionName: 'balanceOf', args: [to] })).toBe(1n)
  })

  test('by another’s transaction is believed once a second node says it, too', async () => {
    const { proxy, read, watchOften, mine } = await broadcastMint('second')
    const { signed } = await read()
    await testChain.node.dropTransaction({ hash: signed[0]!.hash as Hex })
    await sendByHand(testChain, { to: makeRandomAddress(), nonce: signed[0]!.nonce })
    proxy.distort = ({ method }, result) => (method === 'eth_getTransactionCount' ? plus(result, -1) : result)
    await mine()
    await watchOften()
    expect(await read()).toMatchObject({ state: 'SUBMITTED', nonce: signed[0]!.nonce })
    expect(await alarms()).toBe(0)
    proxy.distort = (_, result) => result
    await watchOften()
    expect(await read()).toMatchObject({ state: 'PENDING', nonce: null })
    expect(await alarms()).toBe(1)
  })
})
