import { resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'

/** Allows mail to an address again. Mails that were not sent meanwhile are not sent later. */
export const deleteSuppression = (ctx: Context, id: string): Promise<undefined> =>
  inTransaction(ctx, async (tx) => {
    const row = await tx.db.suppression.findFirst({ where: { id } })
    const { count } = await tx.db.suppression.deleteMany({ where: { id } })
    if (!row || count === 0) throw notFound()
    await resolveAlarm(tx, 'mail_stopped', id)
    await recordAudit(tx, {
      action: 'suppression.deleted',
      subject: { type: 'suppression', id },
      before: { email: row.email, reason: row.reason },
    })
    return undefined
  })
