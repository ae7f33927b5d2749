import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { updateSnapshot as endpoint } from '../../platform/api/snapshots.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { snapshotOf } from './show-snapshot.ts'

/** Renames a snapshot. Nothing else of it can change. */
export const updateSnapshot = (
  ctx: Context,
  id: string,
  { name }: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> =>
  inTransaction(ctx, async (tx) => {
    const before = await tx.db.snapshot.findFirst({ where: { id } })
    if (!before) throw notFound()
    const after = await tx.db.snapshot.update({ where: { id }, data: { name } })
    await recordAudit(tx, {
      action: 'snapshot.updated',
      subject: { type: 'snapshot', id },
      before: { name: before.name },
      after: { name: after.name },
    })
    return snapshotOf(after)
  })
