import type { Payment } from '../../../generated/prisma/client.ts'
import { raiseAlarm } from '../../records/alarms/raise-alarm.ts'
import { type Context, withoutIdempotentResult, inTransaction } from '../../platform/auth/context.ts'
import { CardAccountLost, CardRefused, CardsUnavailable } from '../../ports/cards/cards.ts'
import { DAY, HOUR, secondsFrom } from '../../core/clock.ts'
import { crashPoint } from '../../core/crash.ts'
import { newId } from '../../core/id.ts'
import { refundStuck } from '../purchases/refund-stuck.ts'
import { lockPayment } from './lock-payment.ts'
import { isAccountRecovering } from './recovery.ts'
import { readPayment } from './read-payment.ts'
import { refundAtProvider } from './refunds-at-provider.ts'

const FIRST_RETRY_SECONDS = 5
const MAX_RETRY_SECONDS = 6 * HOUR
/** A bank may take days over a refund; besides the provider's event, we ask this often. */
const PENDING_CHECK_SECONDS = DAY / 4

/**
 * Refunds a payment at the provider, all of it or a part, once: the refund's id is the idempotency key, and before
 * every try the refunds there are listed. A failure is written on the payment and tried again later. Nothing is
 * refunded while the account recovers.
 */
export async function refundPayment(ctx: Context, paymentId: string): Promise<void> {
  const payment = await takeTry(ctx, paymentId)
  if (!payment?.providerId || !payment.refundId) return
  const { providerId, refundId } = payment
  crashPoint('refund_taken')
  try {
    const refund = await refundAtProvider(ctx, { ...payment, providerId, refundId })
    crashPoint('refund_created')
    if (refund?.status === 'failed')
      return await postpone(ctx, payment, 'The bank sent the refund back.', {
        refundId: newId(),
        providerRefundId: null,
      })
    if (refund)
      await ctx.db.payment.updateMany({
        where: { id: paymentId, state: 'REFUNDING', refundId },
        data: { providerRefundId: refund.id, refundId: refund.reference },
      })
    crashPoint('refund_recorded')
    const settled = await readPayment(ctx, payment, providerId)
    if (settled.state === 'REFUNDING')
      await ctx.db.payment.updateMany({
        where: { id: paymentId, state: 'REFUNDING', refundId: refund?.reference ?? refundId },
        data: { nextRefundAt: secondsFrom(ctx.now(), PENDING_CHECK_SECONDS) },
      })
  } catch (error) {
    if (error instanceof CardsUnavailable) return postpone(ctx, payment, error.message, {}, { quietly: true })
    if (error instanceof CardAccountLost || error instanceof CardRefused) return postpone(ctx, payment, error.message)
    throw error
  }
}

/** One try at a time: whoever moves the time of the next try makes this one. An account that recovers takes none. */
const takeTry = (ctx: Context, paymentId: string): Promise<Payment | null> =>
  inTransaction(withoutIdempotentResult(ctx), async (tx) => {
    const payment = await lockPayment(tx, paymentId)
    if (payment.state !== 'REFUNDING' || (payment.nextRefundAt && payment.nextRefundAt > tx.now())) return null
    if (await isAccountRecovering(tx, payment.integrationId)) return null
    const nextRefundAt = secondsFrom(tx.now(), retrySeconds(payment.refundTries))
    await tx.db.payment.updateMany({
      where: { id: paymentId },
      data: { refundTries: payment.refundTries + 1, nextRefundAt },
    })
    return payment
  })

const retrySeconds = (tries: number): number =>
  Math.min(MAX_RETRY_SECONDS, FIRST_RETRY_SECONDS * 2 ** Math.min(tries, 20))

/** Records a failed try on payment and purchase, and raises an alarm. */
const postpone = (
  ctx: Context,
  { id, refundId }: Payment,
  failure: string,
  change: { refundId?: string; providerRefundId?: null } = {},
  { quietly = false } = {},
): Promise<void> =>
  inTransaction(withoutIdempotentResult(ctx), async (tx) => {
    const payment = await lockPayment(tx, id)
    if (payment.state !== 'REFUNDING') return
    // The answer is about an earlier refund than the one under way.
    if (change.refundId && payment.refundId !== refundId) return
    await tx.db.payment.updateMany({ where: { id }, data: { ...change, failure } })
    if (quietly && payment.refundTries < 4) return
    await raiseAlarm(
      tx,
      'refund_stuck',
      id,
      `A refund of ${payment.refundMinor ?? payment.amountMinor - payment.refundedMinor} ${payment.currency} (minor ` +
        `units) did not go through: ${failure} It is tried again.`,
    )
    await refundStuck(tx, payment.intentId, failure)
  })
