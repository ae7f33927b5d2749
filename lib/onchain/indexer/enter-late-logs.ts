import { Prisma } from '../../../generated/prisma/client.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import { type ChainLogRow, movesOf } from './moves-of.ts'
import { projectLogs } from './project-logs.ts'
import { rebuildCollection } from './rebuild-projections.ts'
import { storeLogs } from './store-logs.ts'

/**
 * Stores and projects logs of one collection that come after later ones. Where those concern the same tokens or
 * transactions, their projection is undone and made again, in chain order. The network's cursor is locked.
 */
export async function enterLateLogs(
  tx: SystemContext,
  collectionId: string,
  logs: readonly ChainLogRow[],
): Promise<void> {
  const first = logs.map(({ blockNumber }) => blockNumber).reduce((a, b) => (a < b ? a : b))
  const isInOrder = !(await hasLater(tx, collectionId, logs, first))
  await storeLogs(tx, logs)
  if (!isInOrder) await rebuildCollection(tx, collectionId, first)
  // Logs that a rebuild has projected aren't projected a second time.
  await projectLogs(tx, logs)
}

/** Whether something later is entered whose projection depends on these logs. */
async function hasLater(
  tx: SystemContext,
  collectionId: string,
  logs: readonly ChainLogRow[],
  first: bigint,
): Promise<boolean> {
  const tokenIds = [...new Set(movesOf(logs).moves.map(({ tokenId }) => tokenId))]
  const hashes = [...new Set(logs.map(({ txHash }) => txHash))]
  const rows = await tx.sql(Prisma.sql`
    SELECT 1 FROM item_history WHERE collection_id = ${collectionId}::uuid AND block_number >= ${first}
      AND (token_id = ANY(${tokenIds}::text[]) OR tx_hash = ANY(${hashes}::text[])) LIMIT 1`)
  return rows.length > 0
}
