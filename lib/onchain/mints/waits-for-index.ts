import { Prisma } from '../../../generated/prisma/client.ts'
import type { WorkerContext } from '../../platform/auth/context.ts'

/**
 * Whether the indexer still says that one of these mints is on the chain (its hold is CONSUMED), or that others have its units (EXCEPTION), without
 * having entered the block in which the mint failed. A reorg may have undone what it says: nothing is decided until it has gone back. The
 * cursor stays as it is until the transaction ends.
 */
export async function waitsForIndex(
  tx: WorkerContext,
  networkId: number,
  mintIds: readonly string[],
  failedIn: { blockNumber: bigint; blockHash: string },
): Promise<boolean> {
  const [cursor] = await tx.sql<{ number: bigint }>(
    Prisma.sql`SELECT number FROM chain_cursors WHERE network_id = ${networkId} FOR SHARE`,
  )
  const taken = await tx.db.hold.count({
    where: { holderType: 'MINT_REQUEST', holderId: { in: [...mintIds] }, state: { in: ['CONSUMED', 'EXCEPTION'] } },
  })
  if (taken === 0) return false
  const { blockNumber: number, blockHash } = failedIn
  if (!cursor || cursor.number < number) return true
  const entered = await tx.db.chainBlock.findFirst({ where: { networkId, number }, select: { hash: true } })
  // Of older blocks only their logs are kept: those after it were compared with the chain.
  return entered !== null && entered.hash !== blockHash
}
