import { AppError, notFound } from '../../core/errors.ts'
import { assertNotSuppressed } from '../../messaging/email-integrations/find-suppression.ts'
import { within, inTransaction, type SystemContext } from '../../platform/auth/context.ts'
import { resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'

/**
 * A person knows for whom a token was whose mailbox was lost: it is offered to that one. Throws `conflict` for any
 * other.
 */
export async function nameMailbox(worker: SystemContext, id: string, email: string): Promise<void> {
  const escrow = await worker.db.escrow.findFirst({ where: { id }, select: { organizationId: true } })
  if (!escrow) throw notFound()
  await inTransaction(worker, (tx) =>
    within(tx, escrow.organizationId, async (own) => {
      await assertNotSuppressed(own, email, 'Choose another one.')
      const { count } = await own.db.escrow.updateMany({ where: { id, state: 'HELD', email: null }, data: { email } })
      if (count === 0) throw new AppError('conflict', 'This token doesn’t wait for its mailbox.')
      await recordAudit(own, {
        action: 'escrow.mailbox_named',
        subject: { type: 'transfer', id },
        before: { email: null },
        after: { email },
      })
      await resolveAlarm(own, 'mailbox_lost', id)
    }),
  )
}
