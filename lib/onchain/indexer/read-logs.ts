import type { Address, Hex } from 'viem'
import type { Block, ChainReads, RawLog } from '../../ports/chain/chain.ts'
import { inGroups } from '../../core/in-groups.ts'
import { TOKEN_LOG_TOPICS } from '../../core/contracts/token-logs.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import type { ChainLogRow } from './moves-of.ts'

export const FOLLOWED = columns('c', 'Collection', ['id', 'organizationId', 'contractAddress'])
export type Followed = RowOf<typeof FOLLOWED> & { contractAddress: string }

export const TOPICS = [...TOKEN_LOG_TOPICS] as Hex[]

const ADDRESSES_PER_CALL = 500
const CONCURRENT_BLOCKS = 16

/**
 * The logs of these collections in a range of blocks, with their blocks' times. null: the chain changed while it was
 * read, and the logs' blocks aren't those of `known` or those that the node returns.
 */
export async function readLogs(
  node: ChainReads,
  networkId: number,
  collections: readonly Followed[],
  range: { from: bigint; to: bigint },
  known: ReadonlyMap<bigint, Block>,
): Promise<ChainLogRow[] | null> {
  return withBlocks(node, networkId, collections, await readRawLogs(node, collections, range), known)
}

/** The logs of these collections in a range of blocks, as the node gives them. */
export async function readRawLogs(
  node: ChainReads,
  collections: readonly Followed[],
  range: { from: bigint; to: bigint },
): Promise<RawLog[]> {
  const logs: RawLog[] = []
  for (const addresses of inChunks(collections.map(({ contractAddress }) => contractAddress as Address)))
    logs.push(...(await node.logs({ addresses, topics: TOPICS, ...range })))
  return logs
}

/** The logs of these collections in the receipt of a transaction; null while it isn't mined. */
export async function readReceiptLogs(
  node: ChainReads,
  collections: readonly Followed[],
  hash: Hex,
): Promise<RawLog[] | null> {
  const receipt = await node.receipt(hash)
  const addresses = new Set(collections.map(({ contractAddress }) => contractAddress))
  return (
    receipt && receipt.logs.filter(({ address, topics: [first] }) => addresses.has(address) && TOPICS.includes(first!))
  )
}

/** Addresses in parts that one call takes. */
export const inChunks = (addresses: readonly Address[]): Address[][] => inGroups(addresses, ADDRESSES_PER_CALL)

/** Logs as rows, with their blocks' times. null: a log's block isn't on the chain any more. */
export async function withBlocks(
  node: ChainReads,
  networkId: number,
  collections: readonly Followed[],
  logs: readonly RawLog[],
  known: ReadonlyMap<bigint, Block>,
): Promise<ChainLogRow[] | null> {
  const byAddress = new Map(collections.map((collection) => [collection.contractAddress, collection]))
  const unknown = [...new Set(logs.map(({ blockNumber }) => blockNumber))].filter((number) => !known.has(number))
  const blocks = new Map(known)
  for (const block of (await readBlocks(node, unknown)) ?? []) blocks.set(block.number, block)
  const rows: ChainLogRow[] = []
  for (const { address, blockNumber, blockHash, txHash, logIndex, topics, data } of logs) {
    const block = blocks.get(blockNumber)
    const collection = byAddress.get(address)
    if (block?.hash !== blockHash) return null
    if (!collection) continue
    const { id: collectionId, organizationId } = collection
    rows.push({
      organizationId,
      collectionId,
      networkId,
      txHash,
      logIndex,
      blockNumber,
      blockHash,
      timestamp: block.timestamp,
      topics,
      data,
    })
  }
  return rows
}

/** The blocks with these numbers; null when one is missing. */
export async function readBlocks(node: ChainReads, numbers: readonly bigint[]): Promise<Block[] | null> {
  const blocks: Block[] = []
  for (let at = 0; at < numbers.length; at += CONCURRENT_BLOCKS) {
    const some = await Promise.all(numbers.slice(at, at + CONCURRENT_BLOCKS).map((number) => node.block(number)))
    for (const block of some) {
      if (!block) return null
      blocks.push(block)
    }
  }
  return blocks
}
