import { findLostRanges, findMintedInLastChunk } from '../../onchain/indexer/find-lost-ranges.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { readChain } from './compare-part.ts'
import type { Finding } from './finding.ts'

/** Names the collections whose contracts would mint again what holders have: docs/contracts.md says why. */
export async function verifyChunkRanges(worker: SystemContext, chain: Chain): Promise<Finding[]> {
  const candidates = await findMintedInLastChunk(worker, chain.network.id)
  if (candidates.length === 0) return []
  const lost = await readChain(chain, (node) => findLostRanges(worker, node, candidates))
  return lost.map(({ id, contract }) => ({
    check: 'no contract mints a token again',
    subject: id,
    detail: `a consecutive batch in the last chunk of ${contract} lost the range of its blobs`,
  }))
}
