import { inTransaction, within, type SystemContext } from '../platform/auth/context.ts'
import { AppError, notFound } from '../core/errors.ts'
import { resolveAlarm } from '../records/alarms/raise-alarm.ts'
import { recordAudit } from '../records/audit/record-audit.ts'

/** Ends the limits of an organization that signed up by itself. Throws `conflict` when it has none. */
export const approveOrganization = (worker: SystemContext, id: string): Promise<void> =>
  inTransaction(worker, async (tx) => {
    const { count } = await tx.db.organization.updateMany({
      where: { id, newcomerSince: { not: null } },
      data: { newcomerSince: null },
    })
    if (count === 0) {
      if (!(await tx.db.organization.findUnique({ where: { id }, select: { id: true } }))) throw notFound()
      throw new AppError('conflict', 'This organization doesn’t wait for approval.')
    }
    await resolveAlarm(tx, 'newcomer', id)
    await within(tx, id, (own) =>
      recordAudit(own, { action: 'organization.approved', subject: { type: 'organization', id } }),
    )
  })
