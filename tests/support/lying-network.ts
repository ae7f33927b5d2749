import { ChainUnavailable, type Chain, type Network } from '../../lib/ports/chain/chain.ts'
import { viemChain } from '../../lib/ports/chain/viem-chain.ts'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { systemClient } from '../../lib/db/client.ts'
import { replacePorts } from '../../lib/ports/ports.ts'
import { endTries } from '../../lib/data/retention/end-tries.ts'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { indexOnce } from '../../lib/onchain/indexer/index-once.ts'
import { expireVouchers } from '../../lib/onchain/vouchers/expire-vouchers.ts'
import { applyVoucherFacts } from '../../lib/onchain/vouchers/apply-voucher-facts.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { reconcileOpenPayments } from '../../lib/selling/payments/reconcile-payments.ts'
import { continuePurchases } from '../../lib/selling/purchases/continue-purchases.ts'
import { expirePurchases } from '../../lib/selling/purchases/expire-purchases.ts'
import type { ApiResponse } from './call.ts'
import type { TestChain } from './chain.ts'
import { FAILURES, LIES, startLyingNode } from './lying-node.ts'
import { deliverCardEvents } from './selling.ts'
import { makeSender } from './sending.ts'
import { commit, sliceOf } from './slices.ts'

const RATE = 0.2
/** The most rounds until everything is settled. */
const MAX_ROUNDS = 150
const BLOCKS_PER_ROUND = 16
const BLOCK_SECONDS = 1
/** At most so much of the chain's time passes in a round. */
export const ROUND_SECONDS = BigInt(BLOCKS_PER_ROUND * BLOCK_SECONDS + 4)
/** The distance of anvil's finalized block from its head. */
const FINAL_DEPTH = 64
/** A node that doesn't answer costs this much of the test's time. */
const TIMEOUT_MS = 120

/** The seeds of a story: one of the fixed ones, another with some commits, or 1 to SEEDS. */
export const seedsOf = (...fixed: number[]): number[] =>
  process.env.SEEDS
    ? Array.from({ length: Number(process.env.SEEDS) }, (_, at) => at + 1)
    : fixed.filter((_, at) => at === sliceOf(commit(), fixed.length))

/**
 * Puts two nodes before the test's chain. Once they lie, everything passes through them that the product reads and
 * sends: both distort every fifth answer, in each way, and fail every fifth request. The chain has a finalized block,
 * and its time is ours.
 */
export async function startLyingNetwork(testChain: TestChain, seed: number) {
  const network: Network = { ...testChain.network, finality: 'tag', confirmations: 2 }
  const nodes = await Promise.all(
    [2 * seed, 2 * seed + 1].map((own) => startLyingNode({ target: testChain.rpcUrl, seed: own })),
  )
  const urls = nodes.map(({ url }) => url)
  const lying = viemChain(network, urls, { timeoutMs: TIMEOUT_MS })
  const honest = viemChain(network, [testChain.rpcUrl])
  const passThrough = (chain: Chain) => replacePorts({ chains: new Map([[network.id, chain]]) })
  let { submitAll, watch } = makeSender({ ...testChain, chain: lying })

  /** Mines some blocks, and sets our clock to the time of the last one. */
  async function mine(blocks = BLOCKS_PER_ROUND): Promise<void> {
    await testChain.node.mine({ blocks, interval: BLOCK_SECONDS })
    const { timestamp } = await testChain.client.getBlock()
    resetClock()
    moveClock(Number(timestamp) * 1000 - Date.now())
  }

  /** What the worker does, once. What no node answers is tried again in the next round. */
  async function work(chain: Chain = lying): Promise<void> {
    const worker = systemContext('test')
    await mine()
    const tasks: (() => Promise<unknown>)[] = [
      submitAll,
      watch,
      async () => {
        while ((await indexOnce(worker, chain)) === 'more');
      },
      () => applyVoucherFacts(worker, chain),
      deliverCardEvents,
      () => expirePurchases(worker),
      () => expireVouchers(worker, chain),
      () => continuePurchases(worker),
      () => reconcileOpenPayments(worker),
      () => endTries(worker),
    ]
    for (const task of tasks)
      await task().catch((error: unknown) => {
        if (!(error instanceof ChainUnavailable)) throw error
      })
  }

  passThrough(honest)
  await mine()

  return {
    work,
    /** Starts all faults. */
    lie(): void {
      for (const node of nodes) {
        node.lie(LIES, RATE)
        node.lie(FAILURES, RATE / FAILURES.length)
      }
      passThrough(lying)
    },
    /** Repeats a request until the network is there for it. */
    async insist(request: () => Promise<ApiResponse>): Promise<ApiResponse> {
      for (;;) {
        const answer = await request()
        if (answer.body.code !== 'unavailable') return answer
      }
    },
    /** Works until `unsettled` names nothing any more. */
    async settle(unsettled: () => Promise<readonly string[]>): Promise<void> {
      for (let rounds = 0; rounds < MAX_ROUNDS; rounds++) {
        await work()
        if ((await unsettled()).length === 0) return
      }
      throw new Error(`After ${MAX_ROUNDS} rounds it isn’t settled: ${(await unsettled()).join('; ')}.`)
    },
    /**
     * Ends all faults, and has the worker come to the end of what they left. Returns the findings and the open alarms.
     */
    async clearUp(): Promise<{ findings: object[]; alarms: object[] }> {
      passThrough(honest)
      ;({ submitAll, watch } = makeSender({ ...testChain, chain: honest }))
      for (const node of nodes) node.tellTheTruth()
      await mine(FINAL_DEPTH)
      for (let rounds = 0; rounds < 3; rounds++) await work(honest)
      const findings = await verifyRecords(systemContext('test'))
      const alarms = await systemClient().alarm.findMany({
        where: { resolvedAt: null },
        select: { kind: true, subject: true, detail: true },
      })
      await Promise.all(nodes.map(({ stop }) => stop()))
      return { findings, alarms }
    },
    /** How many faults happened. */
    faults: () => nodes.flatMap(({ lies }) => Object.values(lies)).reduce((sum, count) => sum + count, 0),
  }
}

export type LyingNetwork = Awaited<ReturnType<typeof startLyingNetwork>>
