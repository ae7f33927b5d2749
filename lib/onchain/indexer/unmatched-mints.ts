import { Prisma } from '../../../generated/prisma/client.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import type { MatchedRow } from './history-rows.ts'
import type { Fulfilment } from './match-mints-to-promises.ts'

/**
 * Records arrivals from contracts of ours that no promise in the books explains. Whether we sent them, and what they
 * delivered, is decided later (lib/onchain/recovery).
 */
export async function recordUnmatchedMints(tx: SystemContext, arrivals: readonly MatchedRow[]): Promise<void> {
  if (arrivals.length === 0) return
  await tx.sql(Prisma.sql`
    INSERT INTO unmatched_mints (id, organization_id, collection_id, item_id, network_id, block_number, tx_hash,
      to_address, quantity, updated_at)
    SELECT h.id, h.organization_id, h.collection_id, h.item_id, h.network_id, h.block_number, h.tx_hash, h.to_address,
      least(h.quantity, 9223372036854775807), ${tx.now().toISOString()}::timestamptz
    FROM item_history h JOIN collections c ON c.id = h.collection_id AND c.deployment_type = 'PLATFORM'
    WHERE h.id = ANY(${arrivals.map(({ id }) => id)}::uuid[])
    ON CONFLICT DO NOTHING`)
}

/** Finds the promises of arrivals that were matched later: a rebuilt history needs them. */
export async function findMatchedMints(tx: SystemContext, arrivals: readonly MatchedRow[]): Promise<Fulfilment[]> {
  if (arrivals.length === 0) return []
  const rows = await tx.db.unmatchedMint.findMany({
    where: { id: { in: arrivals.map(({ id }) => id) }, state: 'MATCHED' },
    select: { id: true, holdId: true },
  })
  return rows.map(({ id, holdId }) => ({
    arrival: arrivals.find((one) => one.id === id)!,
    promise: { type: 'MINT_REQUEST', id, holdId },
  }))
}

/** A reorg undid blocks: their mints may come again elsewhere. */
export const deleteUnmatchedMintsAbove = (tx: SystemContext, networkId: number, block: bigint): Promise<unknown> =>
  tx.db.unmatchedMint.deleteMany({
    where: { networkId, blockNumber: { gt: block }, state: { in: ['UNCHECKED', 'OURS', 'FOREIGN'] } },
  })
