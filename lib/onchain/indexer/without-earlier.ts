import type { SystemContext } from '../../platform/auth/context.ts'
import type { HistoryRow } from './history-rows.ts'

/** Block timestamps aren't exactly ours. */
const CLOCK_SKEW_MS = 60_000

/**
 * Leaves out what happened at a foreign contract before it was connected: that is history, raises no event, and its
 * metadata is read later.
 */
export async function withoutEarlier<R extends Pick<HistoryRow, 'collectionId' | 'timestamp'>>(
  tx: SystemContext,
  rows: readonly R[],
): Promise<readonly R[]> {
  const collectionIds = [...new Set(rows.map(({ collectionId }) => collectionId))]
  const foreign = await tx.db.collection.findMany({
    where: { id: { in: collectionIds }, deploymentType: 'EXTERNAL' },
    select: { id: true, deployedAt: true },
  })
  const since = new Map(foreign.map(({ id, deployedAt }) => [id, (deployedAt?.getTime() ?? 0) - CLOCK_SKEW_MS]))
  return rows.filter(({ collectionId, timestamp }) => timestamp.getTime() >= (since.get(collectionId) ?? 0))
}
