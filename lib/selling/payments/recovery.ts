import type { PaymentIntegration } from '../../../generated/prisma/client.ts'
import { raiseAlarm, resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction, withoutIdempotentResult } from '../../platform/auth/context.ts'
import { AppError } from '../../core/errors.ts'

type Account = Pick<PaymentIntegration, 'id' | 'accountId'>

/**
 * A payment of ours was found that the books don't have: they were put back from a backup. Until a complete listing
 * finds no other, nothing of the account is refunded or expires. Every further find begins it anew.
 */
export const startRecovery = (ctx: Context, { id, accountId }: Account, providerId: string): Promise<void> =>
  inTransaction(withoutIdempotentResult(ctx), async (tx) => {
    const row = await tx.db.paymentIntegration.findFirst({ where: { id }, select: { recoveringSince: true } })
    const { count } = await tx.db.paymentIntegration.updateMany({
      where: { id, status: { not: 'DISCONNECTED' } },
      data: { recoveringSince: tx.now() },
    })
    if (count === 0 || row?.recoveringSince) return
    await raiseAlarm(
      tx,
      'account_recovering',
      id,
      `The card provider knows payments of account ${accountId} that the books don’t have, such as ${providerId}. ` +
        'Refunds and expiries of this account wait until all of them are entered.',
    )
    await recordAudit(tx, {
      action: 'payment_integration.recovering',
      subject: { type: 'payment_integration', id },
      after: { provider_payment_id: providerId },
    })
  })

/**
 * Records a complete listing that began at `startedAt` and found nothing unknown. It ends a recovery that began before
 * it.
 */
export const recordListing = (ctx: Context, { id }: Account, startedAt: Date): Promise<void> =>
  inTransaction(withoutIdempotentResult(ctx), async (tx) => {
    const { count } = await tx.db.paymentIntegration.updateMany({
      where: { id, recoveringSince: { lt: startedAt } },
      data: { recoveringSince: null },
    })
    await tx.db.paymentIntegration.updateMany({
      where: { id, recoveringSince: null },
      data: { listedAt: startedAt },
    })
    if (count === 0) return
    await resolveAlarm(tx, 'account_recovering', id)
    await recordAudit(tx, {
      action: 'payment_integration.recovered',
      subject: { type: 'payment_integration', id },
    })
  })

/** Whether the account's payments aren't all in the books. */
export const isAccountRecovering = async (ctx: Context, integrationId: string): Promise<boolean> =>
  (await ctx.db.paymentIntegration.count({ where: { id: integrationId, recoveringSince: { not: null } } })) > 0

/** Throws while the account recovers. */
export async function assertAccountNotRecovering(ctx: Context, integrationId: string): Promise<void> {
  if (await isAccountRecovering(ctx, integrationId))
    throw new AppError(
      'recovering',
      'The payments of this card account are being compared with the card provider’s after a restore. ' +
        'Nothing is refunded until that is done. Try again in some minutes.',
      { retryAfterSeconds: 60 },
    )
}
