import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import type { Statement } from '../../db/statements.ts'
import { snapshotOf, type SnapshotRow } from './show-snapshot.ts'

const SNAPSHOT: Statement = {
  name: 'snapshot_by_id',
  text: `SELECT id, name, collection_id AS "collectionId", block_number AS "blockNumber", at, failure, taken_to AS "takenTo",
      moves_done AS "movesDone", moves_total AS "movesTotal", holder_count AS "holderCount", created_at AS "createdAt", ready_at AS "readyAt"
    FROM snapshots WHERE organization_id = $1::uuid AND id = $2::uuid`,
}

export async function getSnapshot(ctx: Context, id: string) {
  const [row] = await ctx.rows<SnapshotRow>(SNAPSHOT, ctx.organizationId, id)
  if (!row) throw notFound()
  return snapshotOf(row)
}
