import type { PaymentIntegration } from '../../../generated/prisma/client.ts'
import { raiseAlarm } from '../../records/alarms/raise-alarm.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction, assertModeAllowed } from '../../platform/auth/context.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { purchaseDisputed } from '../purchases/purchase-disputed.ts'
import { UNPAID } from './payment-state.ts'

/** Disconnects a card account at its organization's wish. Open payments and refunds there must end first. */
export const removeIntegration = (ctx: Context, id: string): Promise<undefined> =>
  inTransaction(ctx, async (tx) => {
    const row = await tx.db.paymentIntegration.findFirst({ where: { id } })
    if (!row || row.status === 'DISCONNECTED') throw notFound()
    assertModeAllowed(tx, row.mode, 'touches card accounts for')
    const busy = await tx.db.payment.findFirst({
      where: { integrationId: id, state: { in: [...UNPAID, 'REFUNDING'] } },
    })
    if (busy)
      throw new AppError(
        'payment_integration_in_use',
        'A payment is open or a refund under way on this card account. Pause its listings and try again when they are done.',
      )
    await end(tx, row)
    return undefined
  })

/**
 * The provider says that the account isn't ours any more. Its open payments can't be paid; what was paid and not
 * delivered waits for a person, since we can't refund it.
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
    return tx.db.paymentIntegration.findFirstOrThrow({ where: { id } })
  })

async function end(tx: Context, row: PaymentIntegration, why?: string): Promise<void> {
  await tx.db.paymentIntegration.updateMany({
    where: { id: row.id },
    data: { status: 'DISCONNECTED', chargesEnabled: false, refreshedAt: tx.now() },
  })
  const subject = { type: 'payment_integration', id: row.id }
  await recordAudit(tx, {
    action: 'payment_integration.disconnected',
    subject,
    before: { status: row.status },
    after: { status: 'DISCONNECTED', ...(why && { why }) },
  })
}
