import type { Address } from 'viem'
import { log } from '../../core/log.ts'
import { type Block, type Chain, ChainUnavailable, type RawLog } from '../../ports/chain/chain.ts'
import { bloomOf, mayContain } from './logs-bloom.ts'
import type { ChainLogRow } from './moves-of.ts'
import { type Followed, inChunks, TOPICS, withBlocks } from './read-logs.ts'

/**
 * The logs that a node left out of these blocks, as far as the blocks tell: where a block's bloom allows logs of a
 * collection and none came, another node is asked for that block's logs. No answer means none: the blocks are read
 * again when they are final.
 */
export async function findMissingLogs(
  chain: Chain,
  collections: readonly Followed[],
  { node, blocks, logs }: { node: string; blocks: readonly Block[]; logs: readonly ChainLogRow[] },
): Promise<ChainLogRow[]> {
  const doubtful = doubtfulIn(collections, blocks, logs)
  if (doubtful.length === 0) return []
  const networkId = chain.network.id
  try {
    const missing = await chain.atOneNode(
      async (other) => {
        const found: RawLog[] = []
        for (const { blockHash, addresses } of doubtful)
          found.push(...(await other.blockLogs({ addresses, topics: TOPICS, blockHash })))
        return withBlocks(other, networkId, collections, found, new Map(blocks.map((block) => [block.number, block])))
      },
      { not: node },
    )
    if (missing?.length) log.warn({ networkId, node, count: missing.length }, 'A node left out logs of new blocks.')
    return missing ?? []
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error
    log.info({ networkId, error }, 'No node answers about single blocks.')
    return []
  }
}

/** The blocks and addresses of which a log may be missing. */
function doubtfulIn(collections: readonly Followed[], blocks: readonly Block[], logs: readonly ChainLogRow[]) {
  const came = new Set(logs.map(({ collectionId, blockHash }) => `${collectionId} ${blockHash}`))
  return blocks.flatMap(({ hash, logsBloom }) => {
    const bloom = bloomOf(logsBloom)
    if (bloom && !TOPICS.some((topic) => mayContain(bloom, topic))) return []
    const silent = collections.filter(
      ({ id, contractAddress }) =>
        !came.has(`${id} ${hash}`) && (!bloom || mayContain(bloom, contractAddress.toLowerCase() as Address)),
    )
    const addresses = silent.map(({ contractAddress }) => contractAddress as Address)
    return inChunks(addresses).map((some) => ({ blockHash: hash, addresses: some }))
  })
}
