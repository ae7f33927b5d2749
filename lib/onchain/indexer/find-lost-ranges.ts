import { type Address, encodeFunctionData, hexToBigInt } from 'viem'
import { Prisma } from '../../../generated/prisma/client.ts'
import { vitrine721Abi } from '../../core/contracts/abi.ts'
import { CONSECUTIVE_ID_LIMIT, LAST_CHUNK_END, lastChunkBlob } from '../../core/contracts/last-chunk.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import type { ChainReads } from '../../ports/chain/chain.ts'

export type LostRange = { id: string; organizationId: string; contract: Address }

type Candidate = LostRange & { hasManualIds: boolean }

const MAX_SUPPLY = encodeFunctionData({ abi: vitrine721Abi, functionName: 'maxSupply' })

/** In the words of the index item_history_last_chunk, so that the planner takes it. */
const IN_LAST_CHUNK = Prisma.raw(
  `h.type = 'MINT' AND length(h.token_id) = 19 AND h.token_id COLLATE "C" >= '${CONSECUTIVE_ID_LIMIT}'
    AND h.token_id COLLATE "C" <= '${LAST_CHUNK_END}'`,
)

/**
 * A network's collections of which the index has a mint in the last chunk: their contracts are asked whether a batch
 * made it.
 */
export const findMintedInLastChunk = (worker: SystemContext, networkId: number): Promise<Candidate[]> =>
  worker.sql<Candidate>(Prisma.sql`
    SELECT c.id::text, c.organization_id::text AS "organizationId", c.contract_address AS contract,
      c.token_id_assignment = 'MANUAL' AS "hasManualIds"
    FROM collections c
    WHERE c.token_type = 'ERC721' AND c.contract_address IS NOT NULL
      AND c.id IN (SELECT h.collection_id FROM item_history h WHERE h.network_id = ${networkId} AND ${IN_LAST_CHUNK})
    ORDER BY c.id`)

/**
 * Those of these collections in whose last chunk a consecutive batch was minted, by whomever: their contracts may take
 * tokens whose owners are in blobs for not minted (docs/contracts.md). The blob there proves it. Left out are those
 * whose max supply lets nothing more be minted.
 */
export async function findLostRanges(
  worker: SystemContext,
  chain: ChainReads,
  candidates: readonly Candidate[],
): Promise<LostRange[]> {
  const found: LostRange[] = []
  for (const { hasManualIds, ...range } of candidates) {
    if ((await chain.code(lastChunkBlob(range.contract))) === null) continue
    const most = hexToBigInt(await chain.read({ to: range.contract, data: MAX_SUPPLY }))
    // Ids given by hand are counted, automatic ones compared.
    const minted = hasManualIds && most > 0n ? await countMints(worker, range.id) : 0n
    if (most > minted) found.push(range)
  }
  return found
}

const countMints = async (worker: SystemContext, collectionId: string): Promise<bigint> =>
  BigInt(await worker.db.itemHistory.count({ where: { collectionId, type: 'MINT' } }))
