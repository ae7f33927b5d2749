import type { Hex } from 'viem'
import { CallUndecided, ChainUnavailable, type Chain, type ChainNode, type Network } from './chain.ts'
import { newRangeSize } from './log-ranges.ts'
import { type Node, nodesOf } from './nodes.ts'
import { chainReads } from './read-chain.ts'
import { broadcastOf, NodeRefusal } from './refusals.ts'

const RPC_TIMEOUT_MS = 10_000

/**
 * Whether a node failed to answer or refused to run a call. Any other error is a defect of the work that was done with
 * it.
 */
const isNoAnswer = (error: unknown): boolean => error instanceof ChainUnavailable || error instanceof CallUndecided

/**
 * The adapter over JSON-RPC. When a node fails, the next one is tried, in the order of `rpcUrls`; one that failed is
 * asked last for a while.
 */
export function viemChain(
  network: Network,
  rpcUrls: readonly string[],
  { timeoutMs = RPC_TIMEOUT_MS }: { timeoutMs?: number } = {},
): Chain {
  const nodes = nodesOf(network, rpcUrls, timeoutMs)
  const rangeSize = newRangeSize()
  const reads = chainReads(network, (method, params) => nodes.ask(nodes.inOrder, method, params), rangeSize)

  const readsOf = (node: Node): ChainNode => ({
    name: node.name,
    ...chainReads(network, (method, params) => nodes.ask(() => [node], method, params), rangeSize),
  })

  async function atOneNode<T>(work: (node: ChainNode) => Promise<T>, { not }: { not?: string } = {}): Promise<T> {
    await nodes.compareHeads()
    const inOrder = nodes.inOrder()
    const others = inOrder.filter(({ name }) => name !== not)
    const failed: Node[] = []
    let failure: unknown
    for (const node of [...others, ...inOrder.filter(({ name }) => name === not)]) {
      try {
        const result = await work(readsOf(node))
        if (not === undefined) nodes.preferOthers(failed)
        return result
      } catch (error) {
        if (!(error instanceof ChainUnavailable)) throw error
        failure = error
        failed.push(node)
      }
    }
    throw new ChainUnavailable(`No node of ${network.name} answers.`, { cause: failure })
  }

  async function atSeveralNodes<T>(work: (node: ChainNode) => Promise<T>): Promise<T[]> {
    const inOrder = nodes.inOrder()
    const needed = Math.min(2, inOrder.length)
    // Split before any is asked: a node that fails meanwhile must not be asked, and counted, twice.
    const working = inOrder.filter(({ badUntil }) => !badUntil)
    const failed = inOrder.filter(({ badUntil }) => badUntil)
    const results: T[] = []
    let failure: unknown
    for (const some of [working, failed]) {
      if (results.length >= needed) break
      for (const answer of await Promise.allSettled(some.map((node) => work(readsOf(node))))) {
        if (answer.status === 'fulfilled') results.push(answer.value)
        else if (isNoAnswer(answer.reason)) failure = answer.reason
        else throw answer.reason as Error
      }
    }
    if (results.length < needed)
      throw new ChainUnavailable(`Too few nodes of ${network.name} answer.`, { cause: failure })
    return results
  }

  async function broadcastTo(some: readonly Node[], raw: Hex) {
    const answers = await Promise.allSettled(some.map((node) => nodes.askOnce(node, 'eth_sendRawTransaction', [raw])))
    if (answers.some(({ status }) => status === 'fulfilled')) return { outcome: 'known' as const }
    const errors = answers.map((answer) => (answer as PromiseRejectedResult).reason as unknown)
    return broadcastOf(errors.filter((error) => error instanceof NodeRefusal))
  }

  return {
    network,
    ...reads,
    head: async () => {
      await nodes.compareHeads()
      return reads.head()
    },
    atOneNode,
    atSeveralNodes,
    nodesOfOtherChains: nodes.ofOtherChain,
    async broadcast(raw) {
      const inOrder = nodes.inOrder()
      const working = inOrder.filter(({ badUntil }) => !badUntil)
      const failed = inOrder.filter(({ badUntil }) => badUntil)
      const answer = (await broadcastTo(working, raw)) ?? (await broadcastTo(failed, raw))
      if (answer) return answer
      throw new ChainUnavailable(`No node of ${network.name} answers.`)
    },
  }
}
