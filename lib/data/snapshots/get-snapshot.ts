import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import type { Statement } from '../../db/statements.ts'
import { SNAPSHOT_COLUMNS, snapshotOf, type SnapshotRow } from './show-snapshot.ts'

const SNAPSHOT: Statement = {
  name: 'snapshot_by_id',
  text: `SELECT ${SNAPSHOT_COLUMNS} FROM snapshots s
    WHERE organization_id = $1::uuid AND id = $2::uuid`,
}

export async function getSnapshot(ctx: Context, id: string) {
  const [row] = await ctx.rows<SnapshotRow>(SNAPSHOT, ctx.organizationId, id)
  if (!row) throw notFound()
  return snapshotOf(row)
}
