import type { z } from 'zod'
import type { Snapshot } from '../../../generated/prisma/client.ts'
import type { snapshot } from '../../platform/api/snapshots.ts'
import type { Context } from '../../platform/auth/context.ts'

type ShownSnapshot = z.output<typeof snapshot>

/** Snapshots as the API shows them, in the order of the rows; their holders are counted in one statement. */
export async function snapshotsOf(ctx: Context, rows: readonly Snapshot[]): Promise<ShownSnapshot[]> {
  const ready = rows.filter(({ readyAt }) => readyAt !== null).map(({ id }) => id)
  const counts =
    ready.length > 0
      ? await ctx.db.snapshotHolder.groupBy({ by: ['snapshotId'], where: { snapshotId: { in: ready } }, _count: true })
      : []
  const countOf = new Map(counts.map(({ snapshotId, _count }) => [snapshotId, _count]))
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    collection_id: row.collectionId,
    block_number: row.blockNumber,
    timestamp: row.at,
    status: row.readyAt ? 'READY' : row.failure ? 'FAILED' : 'PENDING',
    failure: row.failure,
    holder_count: row.readyAt ? (countOf.get(row.id) ?? 0) : null,
    created_at: row.createdAt,
    ready_at: row.readyAt,
  }))
}

export const snapshotOf = async (ctx: Context, row: Snapshot): Promise<ShownSnapshot> =>
  (await snapshotsOf(ctx, [row]))[0]!
