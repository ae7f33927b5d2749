import { hexToNumber, type RpcBlock } from 'viem'
import { now, secondsFrom } from '../../core/clock.ts'
import { log } from '../../core/log.ts'
import { withTimeout } from '../../core/with-timeout.ts'
import { ChainUnavailable, type Network } from './chain.ts'
import { jsonRpcOver, type JsonRpc, NodeSilent, SLOW_METHODS } from './json-rpc.ts'
import { isRateLimit, isRevert, NodeRefusal, TIMED_OUT } from './refusals.ts'

/** A node that failed is asked only when no other answers, until it has answered again: it is tried after this long. */
const BAD_SECONDS = 60
const LIMITED_SECONDS = 5
const COMPARE_SECONDS = 30
const COMPARE_WAIT_MS = 2_000
/** A node whose latest block is this much older than another's is behind. */
const LAG_SECONDS = 60
/** A request that fails quickly is repeated at once, so that one lost connection is no outage. */
const TRIES = 3
const QUICK_MS = 1_000

export type Node = {
  /** Names the node in logs. URLs may contain keys. */
  readonly name: string
  readonly rpc: JsonRpc
  /** Its chain id was read and is the network's. Read again after it failed to answer. */
  checked: boolean
  checking: Promise<void> | null
  isOfOtherChain: boolean
  /** null: it works, as far as we know. */
  badUntil: Date | null
  /** How long it took to fail: of nodes that fail, the quickest is asked first. */
  failedAfterMs: number
}

/** The nodes of a network: which of them work, and in which order they are asked. */
export function nodesOf(network: Network, rpcUrls: readonly string[], timeoutMs: number) {
  const all: readonly Node[] = rpcUrls.map((url, at) => ({
    name: `${new URL(url).host} (${at + 1})`,
    rpc: jsonRpcOver(url, timeoutMs),
    checked: false,
    checking: null,
    isOfOtherChain: false,
    badUntil: null,
    failedAfterMs: 0,
  }))
  let comparedAt: Date | null = null
  /** Unix time of the newest block that a node had at the last comparison. */
  let newestBlockSeconds = 0

  function markBad(node: Node, seconds: number, reason: string): void {
    if (!node.badUntil)
      log.warn({ network: network.id, node: node.name, reason }, 'A node fails; others are preferred.')
    node.badUntil = secondsFrom(now(), seconds)
  }

  const markSilent = (node: Node, failedAfterMs: number, reason: string): void => {
    node.checked = false
    node.failedAfterMs = failedAfterMs
    markBad(node, BAD_SECONDS, reason)
  }

  /** These nodes didn't do what another one did then. */
  function preferOthers(some: readonly Node[]): void {
    for (const node of some) if (!node.badUntil) markBad(node, BAD_SECONDS, 'Another node answered instead.')
  }

  /** Reads the node's chain id once. Throws NodeSilent for a node of another chain: it is never used. */
  const check = (node: Node): Promise<void> | undefined =>
    node.checked ? undefined : (node.checking ??= readChainId(node).finally(() => (node.checking = null)))

  async function readChainId(node: Node): Promise<void> {
    const startedAt = performance.now()
    const wasOfOtherChain = node.isOfOtherChain
    try {
      const chainId = Number(await node.rpc('eth_chainId', []))
      node.isOfOtherChain = chainId !== network.id
      if (node.isOfOtherChain) throw new NodeSilent(`The node is of the chain ${chainId}, not of ${network.id}.`)
    } catch (error) {
      if (node.isOfOtherChain && !wasOfOtherChain)
        log.error({ network: network.id, node: node.name, error }, 'A node of another chain is not used.')
      markSilent(node, performance.now() - startedAt, (error as Error).message)
      throw error instanceof NodeRefusal && !isRateLimit(error)
        ? new NodeSilent(error.message, { cause: error })
        : error
    }
    node.checked = true
    if (node.badUntil && !(await isBehind(node))) node.badUntil = null
  }

  const latestBlockSeconds = async (node: Node): Promise<number> =>
    hexToNumber(((await node.rpc('eth_getBlockByNumber', ['latest', false])) as RpcBlock).timestamp)

  const isBehind = async (node: Node): Promise<boolean> =>
    newestBlockSeconds > 0 && newestBlockSeconds - (await latestBlockSeconds(node).catch(() => 0)) > LAG_SECONDS

  /** Asks one node. Throws NodeRefusal or NodeSilent. */
  async function askOnce(node: Node, method: string, params: readonly unknown[]): Promise<unknown> {
    await check(node)
    const startedAt = performance.now()
    try {
      return await node.rpc(method, params)
    } catch (error) {
      if (error instanceof NodeRefusal) {
        if (isRateLimit(error)) markBad(node, LIMITED_SECONDS, error.message)
        throw error
      }
      const isOwnFault = error instanceof NodeSilent && error.timedOut && SLOW_METHODS.has(method)
      if (isOwnFault && (await stillAnswers(node))) throw new NodeRefusal(TIMED_OUT, `${method} timed out.`, undefined)
      markSilent(node, performance.now() - startedAt, (error as Error).message)
      throw error
    }
  }

  const stillAnswers = (node: Node): Promise<boolean> =>
    node.rpc('eth_chainId', []).then(
      () => true,
      (error) => error instanceof NodeRefusal,
    )

  /** The nodes that work in the order of the settings, then those that fail. Failed ones are tried again meanwhile. */
  function inOrder(): readonly Node[] {
    const failed = all.filter(({ badUntil }) => badUntil)
    for (const node of failed) if (node.badUntil! <= now()) recover(node)
    return [...all.filter(({ badUntil }) => !badUntil), ...failed.sort((a, b) => a.failedAfterMs - b.failedAfterMs)]
  }

  function recover(node: Node): void {
    node.badUntil = secondsFrom(now(), BAD_SECONDS)
    node.checked = false
    // It fails again, and says so in the log, where it still doesn't answer.
    void check(node)?.catch(() => undefined)
  }

  /**
   * The result of the first of these nodes that has one. Throws NodeRefusal when all that answer refuse, or one says
   * that the call reverts, and ChainUnavailable when none answers.
   */
  async function ask(nodes: () => readonly Node[], method: string, params: readonly unknown[]): Promise<unknown> {
    let failure: unknown
    const startedAt = performance.now()
    for (let tries = 0; tries < TRIES && performance.now() - startedAt < QUICK_MS; tries++) {
      let refusal: NodeRefusal | undefined
      const tooSlow: Node[] = []
      for (const node of nodes()) {
        try {
          const result = await askOnce(node, method, params)
          preferOthers(tooSlow)
          return result
        } catch (error) {
          if (error instanceof NodeRefusal && !isRateLimit(error)) refusal ??= error
          else failure = error
          if (error instanceof NodeRefusal && error.code === TIMED_OUT) tooSlow.push(node)
          if (refusal && isRevert(refusal)) break
        }
      }
      if (refusal) throw refusal
      if (failure instanceof NodeRefusal) break
    }
    throw new ChainUnavailable(`No node of ${network.name} answers.`, { cause: failure })
  }

  /**
   * Now and then, compares the latest blocks of the nodes that work: one that stopped following the chain counts as
   * failed. Callers don't wait long for a slow node.
   */
  async function compareHeads(): Promise<void> {
    if (all.length < 2 || (comparedAt && now() < secondsFrom(comparedAt, COMPARE_SECONDS))) return
    comparedAt = now()
    await withTimeout(markThoseBehind(), COMPARE_WAIT_MS, undefined)
  }

  async function markThoseBehind(): Promise<void> {
    const heads = await Promise.all(
      all
        .filter(({ badUntil }) => !badUntil)
        .map(async (node) => {
          const block = await askOnce(node, 'eth_getBlockByNumber', ['latest', false]).catch(() => null)
          return { node, seconds: block ? hexToNumber((block as RpcBlock).timestamp) : 0 }
        }),
    )
    newestBlockSeconds = Math.max(0, ...heads.map(({ seconds }) => seconds))
    for (const { node, seconds } of heads)
      if (seconds > 0 && newestBlockSeconds - seconds > LAG_SECONDS)
        markBad(node, BAD_SECONDS, `Its latest block is ${newestBlockSeconds - seconds} s older than another node's.`)
  }

  return {
    all,
    inOrder,
    ask,
    askOnce,
    preferOthers,
    compareHeads,
    /** The names of nodes that belong to another chain, as far as they were asked. */
    ofOtherChain: (): string[] => all.filter((node) => node.isOfOtherChain).map(({ name }) => name),
  }
}
