import type { LostPayment, PaymentIntegration } from '../../../generated/prisma/client.ts'
import { raiseAlarm, resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import { type Answer, askOutside } from '../../db/ask-outside.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import type { CardPayment } from '../../ports/cards/cards.ts'
import { refundedAfter } from './apply-provider-state.ts'
import { cardsOf } from './card-gateway.ts'

export const WITH_ACCOUNT = { include: { integration: true } } as const

/**
 * Asks the provider about a payment without a purchase, and records how much of it was refunded. Call it outside of
 * transactions.
 */
export const readLostPayment = (
  ctx: Context,
  { id, accountId, providerId, integration }: LostPayment & { integration: PaymentIntegration },
): Promise<void> =>
  askOutside(
    ctx,
    { table: 'lost_payments', id },
    () => cardsOf(ctx, integration).payments.read(accountId, providerId),
    (answer) => updateLostPayment(ctx, answer),
  )

/** When all of it is refunded, its alarm is over. */
const updateLostPayment = (ctx: Context, answer: Answer<'lost_payments', CardPayment>): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    const facts = await answer.take(tx)
    const row = await tx.db.lostPayment.findFirstOrThrow({ where: { id: answer.id } })
    const refundedMinor = refundedAfter(row, facts)
    const isRefunded = refundedMinor >= row.amountMinor
    await tx.db.lostPayment.updateMany({
      where: { id: row.id },
      data: { refundedMinor, refundedAt: isRefunded ? (row.refundedAt ?? tx.now()) : null },
    })
    if (isRefunded) await resolveAlarm(tx, 'payment_lost', row.providerId)
    else if (row.outcome === 'UNMATCHED') await alarmLost(tx, row)
  })

type Lost = Pick<LostPayment, 'providerId' | 'accountId' | 'amountMinor' | 'currency' | 'quantity' | 'listingId'>

/** Somebody paid for what isn't known. */
export const alarmLost = (
  tx: Context,
  { providerId, accountId, amountMinor, currency, quantity, listingId }: Lost,
): Promise<void> =>
  raiseAlarm(
    tx,
    'payment_lost',
    providerId,
    `Payment ${providerId} of account ${accountId} (${amountMinor} ${currency} in minor units) ` +
      `was paid for ${quantity} units of listing ${listingId}, which the books don’t have. ` +
      'Nothing is delivered or refunded for it by itself.',
  )
