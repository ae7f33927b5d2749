import { Prisma } from '../../../generated/prisma/client.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import type { Indexed } from '../indexer/read-indexed.ts'

/**
 * Whether what the indexer says of these mints' units may have been undone by a reorg: one is on the chain (its hold is
 * CONSUMED), or others have its units (EXCEPTION), and the blocks that were entered aren't those of the chain. A mint
 * is called failed only after the indexer has gone back, since its units couldn't return before. The cursor stays as it
 * is until the transaction ends.
 */
export async function waitsForIndex(
  tx: SystemContext,
  networkId: number,
  mintIds: readonly string[],
  indexed: Indexed,
): Promise<boolean> {
  const [cursor] = await tx.sql<{ number: bigint }>(
    Prisma.sql`SELECT number FROM chain_cursors WHERE network_id = ${networkId} FOR SHARE`,
  )
  if (indexed?.isOnChain && cursor?.number === indexed.number) return false
  const taken = await tx.db.hold.count({
    where: { holderType: 'MINT_REQUEST', holderId: { in: [...mintIds] }, state: { in: ['CONSUMED', 'EXCEPTION'] } },
  })
  return taken > 0
}
