import type { Address, Hex } from 'viem'
import type { Block, Chain, RawLog } from '../../ports/chain/chain.ts'
import { TOKEN_LOG_TOPICS } from '../../core/contracts/token-logs.ts'
import type { ChainLogRow } from './moves-of.ts'

export type Followed = { id: string; organizationId: string; contractAddress: string }

const ADDRESSES_PER_CALL = 500
const CONCURRENT_BLOCKS = 16

/**
 * The logs of these collections in a range of blocks, with their blocks' times. null: the chain changed while it was
 * read, and the logs' blocks aren't those of `known` or those that the node returns.
 */
export async function readLogs(
  chain: Chain,
  collections: readonly Followed[],
  range: { from: bigint; to: bigint },
  known: ReadonlyMap<bigint, Block>,
): Promise<ChainLogRow[] | null> {
  const byAddress = new Map(collections.map((collection) => [collection.contractAddress, collection]))
  const addresses = [...byAddress.keys()] as Address[]
  const logs: RawLog[] = []
  for (let at = 0; at < addresses.length; at += ADDRESSES_PER_CALL)
    logs.push(
      ...(await chain.logs({
        addresses: addresses.slice(at, at + ADDRESSES_PER_CALL),
        topics: [...TOKEN_LOG_TOPICS] as Hex[],
        ...range,
      })),
    )

  const unknown = [...new Set(logs.map(({ blockNumber }) => blockNumber))].filter((number) => !known.has(number))
  const blocks = new Map(known)
  for (const block of (await readBlocks(chain, unknown)) ?? []) blocks.set(block.number, block)
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
      networkId: chain.network.id,
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
export async function readBlocks(chain: Chain, numbers: readonly bigint[]): Promise<Block[] | null> {
  const blocks: Block[] = []
  for (let at = 0; at < numbers.length; at += CONCURRENT_BLOCKS) {
    const some = await Promise.all(numbers.slice(at, at + CONCURRENT_BLOCKS).map((number) => chain.block(number)))
    for (const block of some) {
      if (!block) return null
      blocks.push(block)
    }
  }
  return blocks
}
