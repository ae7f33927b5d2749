import type { Block, ChainNode, Network } from '../../ports/chain/chain.ts'
import type { Cursor } from './cursor.ts'
import type { ChainLogRow } from './moves-of.ts'
import { type Followed, readBlocks, readLogs } from './read-logs.ts'

/** The most blocks of one step, which are entered in one transaction. */
export const MAX_BLOCKS_PER_STEP = 2_000n
/** Blocks stored beyond the reorg window. */
const SPARE_BLOCKS = 16n

/** The chain as one node tells it, seen from a cursor. */
export type Step = {
  node: string
  head: Block
  /** Whether the cursor's block is still on the chain. */
  isOnChain: boolean
  /** The blocks after the cursor; null where there is none, or the chain changed while it was read. */
  read: { to: bigint; blocks: Block[]; logs: ChainLogRow[]; collections: readonly Followed[] } | null
}

/** How many of a network's last blocks are stored. */
export const keptBlocks = (network: Network): bigint => BigInt(network.reorgWindow) + SPARE_BLOCKS

/** Reads the next blocks and their logs, all from one node. */
export async function readStep(
  node: ChainNode,
  network: Network,
  cursor: Cursor,
  followed: () => Promise<readonly Followed[]>,
): Promise<Step> {
  const head = await node.head()
  const isOnChain = await isStillOnChain(node, network, cursor, head)
  const hasMore = isOnChain && head.number > cursor.number
  return {
    node: node.name,
    head,
    isOnChain,
    read: hasMore ? await readNext(node, network, cursor, head, await followed()) : null,
  }
}

/**
 * A head below our last block means a lagging node; only the local chain can really lose blocks without replacing them.
 */
async function isStillOnChain(node: ChainNode, network: Network, cursor: Cursor, head: Block): Promise<boolean> {
  if (cursor.number < 0n) return true
  if (cursor.number > head.number) return network.finality !== 'never'
  const block = cursor.number === head.number ? head : await node.block(cursor.number)
  return block !== null && block.hash === cursor.hash
}

async function readNext(
  node: ChainNode,
  network: Network,
  cursor: Cursor,
  head: Block,
  collections: readonly Followed[],
): Promise<Step['read']> {
  const from = cursor.number + 1n
  const to = head.number - cursor.number > MAX_BLOCKS_PER_STEP ? cursor.number + MAX_BLOCKS_PER_STEP : head.number
  const kept = keptBlocks(network)
  const firstKept = to + kept < head.number ? to : later(from, head.number - kept)
  const blocks = await readBlocks(node, numbersBetween(firstKept, to))
  if (!blocks || !areLinked(blocks, firstKept === from ? cursor.hash : null)) return null
  const byNumber = new Map(blocks.map((block) => [block.number, block]))
  const logs = await readLogs(node, network.id, collections, { from, to }, byNumber)
  // The blocks were read before the logs: if the last one still stands, the logs belong to these blocks.
  const last = await node.block(to)
  if (!logs || last?.hash !== blocks.at(-1)!.hash) return null
  return { to, blocks, logs, collections }
}

const areLinked = (blocks: readonly Block[], parent: string | null): boolean =>
  blocks.every((block, at) => block.parentHash === (at === 0 ? (parent ?? block.parentHash) : blocks[at - 1]!.hash))

export const later = (a: bigint, b: bigint): bigint => (a > b ? a : b)

const numbersBetween = (from: bigint, to: bigint): bigint[] =>
  Array.from({ length: Number(to - from) + 1 }, (_, at) => from + BigInt(at))
