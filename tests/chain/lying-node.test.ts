import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { indexOnce } from '../../lib/onchain/indexer/index-once.ts'
import { workerContext } from '../../lib/platform/auth/authenticate.ts'
import { viemChain } from '../../lib/ports/chain/viem-chain.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { catchUpWith } from '../support/indexing.ts'
import { FAILURES, LIES, startLyingNode } from '../support/lying-node.ts'
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
    const worker = workerContext('test')
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
