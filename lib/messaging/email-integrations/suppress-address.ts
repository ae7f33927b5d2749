import type { SuppressionReason } from '../../../generated/prisma/client.ts'
import { raiseAlarm } from '../../records/alarms/raise-alarm.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { newId } from '../../core/id.ts'

/** Stops an organization's mail to an address. The first call raises an alarm; later ones do nothing. */
export const suppressAddress = (
  ctx: Context,
  input: { email: string; reason: SuppressionReason; detail: string | null },
): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    const id = newId()
    const email = input.email.toLowerCase()
    const { count } = await tx.db.suppression.createMany({
      data: [
        {
          id,
          organizationId: tx.organizationId,
          email,
          reason: input.reason,
          detail: input.detail?.slice(0, 1000) ?? null,
          createdAt: tx.now(),
        },
      ],
      skipDuplicates: true,
    })
    if (count === 0) return
    await recordAudit(tx, {
      action: 'suppression.created',
      subject: { type: 'suppression', id },
      after: { email, reason: input.reason },
    })
    const what = input.reason === 'BOUNCE' ? `Mail to ${email} bounced` : `The owner of ${email} called a mail spam`
    await raiseAlarm(
      tx,
      'mail_stopped',
      id,
      `${what}: no more goes there until the address is allowed again in the email settings.`,
    )
  })
