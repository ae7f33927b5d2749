import type { PaymentIntegration } from '../../../generated/prisma/client.ts'
import { raiseAlarm, resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { paymentUnknown } from '../purchases/payment-unknown.ts'
import { purchaseDisputed } from '../purchases/purchase-disputed.ts'
import { advancePayment } from './advance-payment.ts'
import { lockPayment } from './lock-payment.ts'
import { isUnpaid, UNPAID } from './payment-state.ts'

/** Disconnects a card account at its organization's wish. Open payments and refunds there must end first. */
export const removeIntegration = (ctx: Context, id: string): Promise<undefined> =>
  inTransaction(ctx, async (tx) => {
    const row = await tx.db.paymentIntegration.findFirst({ where: { id } })
    if (!row || row.status === 'DISCONNECTED') throw notFound()
    const busy = await tx.db.payment.findFirst({
      where: { integrationId: id, state: { in: [...UNPAID, 'REFUNDING'] } },
    })
    if (busy)
      throw new AppError(
        'payment_integration_in_use',
        'A payment is open or a refund under way on this card account. ' +
          'Pause its listings and try again when they are done.',
      )
    await end(tx, row)
    return undefined
  })

/**
 * The provider says that the account isn't ours any more. Its open payments may have been paid a moment ago, which we
 * can't read any more; what was paid and not delivered can't be refunded by us. Both wait for a person.
 */
export const disconnectIntegration = (ctx: Context, id: string, why: string): Promise<PaymentIntegration> =>
  inTransaction(ctx, async (tx) => {
    const row = await tx.db.paymentIntegration.findFirst({ where: { id } })
    if (!row) throw notFound()
    if (row.status === 'DISCONNECTED') return row
    await end(tx, row, why)
    await raiseAlarm(tx, 'card_account_lost', id, `The card account ${row.accountId} can’t be used any more. ${why}`)
    const undelivered = await tx.db.payment.findMany({
      where: {
        integrationId: id,
        state: { in: ['SUCCEEDED', 'REFUNDING'] },
        intent: { fulfillmentStatus: { not: 'COMPLETED' } },
      },
      orderBy: { id: 'asc' },
    })
    for (const { intentId } of undelivered)
      await purchaseDisputed(tx, intentId, 'The card account it was paid to was disconnected.')
    const open = await tx.db.payment.findMany({
      where: { integrationId: id, state: { in: [...UNPAID] }, providerId: { not: null } },
      orderBy: { id: 'asc' },
      select: { id: true },
    })
    for (const payment of open) await leaveUnresolved(tx, payment.id)
    return tx.db.paymentIntegration.findFirstOrThrow({ where: { id } })
  })

async function leaveUnresolved(tx: Context, paymentId: string): Promise<void> {
  const payment = await lockPayment(tx, paymentId)
  const { state, intentId, accountId, providerId } = payment
  if (!isUnpaid(state) || providerId === null) return
  // From here on nobody gets the secret with which it could be paid.
  if (state !== 'CANCELLING') await advancePayment(tx, payment, 'CANCELLING')
  await paymentUnknown(tx, intentId, { accountId, providerId })
}

async function end(tx: Context, row: PaymentIntegration, why?: string): Promise<void> {
  await tx.db.paymentIntegration.updateMany({
    where: { id: row.id },
    data: { status: 'DISCONNECTED', chargesEnabled: false, recoveringSince: null, refreshedAt: tx.now() },
  })
  await resolveAlarm(tx, 'account_recovering', row.id)
  const subject = { type: 'payment_integration', id: row.id }
  await recordAudit(tx, {
    action: 'payment_integration.disconnected',
    subject,
    before: { status: row.status },
    after: { status: 'DISCONNECTED', ...(why && { why }) },
  })
}
