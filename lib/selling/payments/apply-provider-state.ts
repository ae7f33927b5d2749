import type { Payment } from '../../../generated/prisma/client.ts'
import { raiseAlarm, resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import { type Context, withoutIdempotentResult, inTransaction } from '../../platform/auth/context.ts'
import type { Answer } from '../../db/ask-outside.ts'
import type { CardPayment } from '../../ports/cards/cards.ts'
import { purchaseDisputed } from '../purchases/purchase-disputed.ts'
import { purchasePartRefunded } from '../purchases/refunded-part.ts'
import { purchasePaid } from '../purchases/purchase-paid.ts'
import { purchaseRefunded } from '../purchases/purchase-refunded.ts'
import { purchaseUndisputed } from '../purchases/purchase-undisputed.ts'
import { purchaseUnpaid } from '../purchases/purchase-unpaid.ts'
import { advancePayment } from './advance-payment.ts'
import { lockPayment } from './lock-payment.ts'
import { isUnpaid } from './payment-state.ts'

/**
 * Records a payment's state at the provider and tells its purchase. Every way in ends here: events, reconciliation,
 * cancelling, refunding. Calls may come twice and in any order; what is known already changes nothing, and an answer
 * that may be older than what was applied is refused (lib/db/ask-outside.ts). null: the provider never heard of the
 * payment. Returns the payment as it is now.
 */
export const applyProviderState = (ctx: Context, answer: Answer<'payments', CardPayment | null>): Promise<Payment> =>
  inTransaction(withoutIdempotentResult(ctx), async (tx) => {
    const payment = await lockPayment(tx, answer.id)
    const facts = await answer.take(tx)
    if (!facts) {
      if (isUnpaid(payment.state)) await endUnpaid(tx, payment)
      return tx.db.payment.findFirstOrThrow({ where: { id: payment.id } })
    }
    const wrong = disagreement(payment, facts)
    if (wrong) {
      await raiseAlarm(
        tx,
        'payment_mismatch',
        payment.id,
        `Payment ${facts.id} of account ${payment.accountId} is not the one we ordered: ${wrong}. ` +
          'Nothing was delivered for it.',
      )
      return payment
    }
    await resolveAlarm(tx, 'payment_mismatch', payment.id)
    const refundedMinor = refundedAfter(payment, facts)
    await tx.db.payment.updateMany({
      where: { id: payment.id },
      data: {
        checkedAt: tx.now(),
        providerId: facts.id,
        refundedMinor,
        ...(facts.failure && { failure: facts.failure }),
      },
    })
    let { state } = payment
    const advance = async (to: typeof state, change: Parameters<typeof advancePayment>[3] = {}) => {
      await advancePayment(tx, { ...payment, state }, to, change)
      state = to
    }

    if (facts.status === 'cancelled' && isUnpaid(state)) {
      await endUnpaid(tx, payment)
      state = 'CANCELLED'
    }
    if (facts.status === 'succeeded' && isUnpaid(state)) {
      await advance('SUCCEEDED', { paidAt: tx.now(), clientSecret: null })
      await purchasePaid(tx, payment.intentId, { paymentId: payment.id })
      // A purchase that was paid too late may have requested its refund already.
      state = (await tx.db.payment.findFirstOrThrow({ where: { id: payment.id }, select: { state: true } })).state
    }
    if (facts.disputed && (state === 'SUCCEEDED' || state === 'REFUNDING')) {
      await advance('DISPUTED', { nextRefundAt: null })
      await raiseAlarm(
        tx,
        'payment_disputed',
        payment.id,
        `The buyer disputes payment ${facts.id} with their bank. Answer it in the card provider’s dashboard.`,
      )
      await purchaseDisputed(tx, payment.intentId, 'The buyer disputes the payment.')
    }
    if (!facts.disputed && facts.status === 'succeeded' && state === 'DISPUTED') {
      await advance('SUCCEEDED')
      await resolveAlarm(tx, 'payment_disputed', payment.id)
      await purchaseUndisputed(tx, payment.intentId)
      // The dispute had stopped the refund of a part, which is still owed.
      if (payment.refundMinor !== null) await advance('REFUNDING', { nextRefundAt: tx.now() })
    }
    if (
      refundedMinor >= payment.amountMinor &&
      (state === 'SUCCEEDED' || state === 'REFUNDING' || state === 'DISPUTED')
    ) {
      if (state === 'DISPUTED') await resolveAlarm(tx, 'payment_disputed', payment.id)
      await advance('REFUNDED', { refundedAt: tx.now(), nextRefundAt: null, refundMinor: null })
      await purchaseRefunded(tx, payment.intentId)
    } else if (state === 'REFUNDING' && payment.refundMinor !== null && isOurRefundDone(payment, facts)) {
      // The next refund is another one.
      await advance('SUCCEEDED', { refundId: null, providerRefundId: null, refundMinor: null, nextRefundAt: null })
      await purchasePartRefunded(tx, payment.intentId, payment.refundMinor)
    }
    if (payment.state === 'REFUNDING' && state !== 'REFUNDING') await resolveAlarm(tx, 'refund_stuck', payment.id)
    if (payment.state === 'REFUNDED') await watchRefunded(tx, payment, refundedMinor)
    return tx.db.payment.findFirstOrThrow({ where: { id: payment.id } })
  })

/** A bank may send a refund back after it had succeeded. */
async function watchRefunded(
  tx: Context,
  { id, providerId, ...before }: Payment,
  refundedMinor: bigint,
): Promise<void> {
  if (refundedMinor < before.refundedMinor)
    await raiseAlarm(
      tx,
      'refund_stuck',
      id,
      `The bank sent ${before.refundedMinor - refundedMinor} ${before.currency} (minor units) of the refund of ` +
        `payment ${providerId} back. Pay it to the buyer in the card provider’s dashboard.`,
    )
  else if (refundedMinor > before.refundedMinor && refundedMinor >= before.amountMinor)
    await resolveAlarm(tx, 'refund_stuck', id)
}

async function endUnpaid(tx: Context, payment: Payment): Promise<void> {
  await advancePayment(tx, payment, 'CANCELLED')
  await purchaseUnpaid(tx, payment.intentId)
}

/** The sum of what was refunded. It goes down by refunds that the provider calls failed, and by nothing else. */
export function refundedAfter(
  { refundedMinor: before }: { refundedMinor: bigint },
  { refundedMinor, refunds }: Pick<CardPayment, 'refundedMinor' | 'refunds'>,
): bigint {
  const failed = refunds.reduce((sum, refund) => (refund.status === 'failed' ? sum + refund.amountMinor : sum), 0n)
  const least = before - failed
  return refundedMinor > least ? refundedMinor : least
}

/** The refund that we requested, and none that the organization made at the provider. */
const isOurRefundDone = ({ refundId }: Payment, { refunds }: CardPayment): boolean =>
  refunds.some(({ reference, status }) => reference === refundId && status === 'succeeded')

/** Money is matched by what we stored, never by what the provider's answer says it is for. */
function disagreement(payment: Payment, facts: CardPayment): string | null {
  if (payment.providerId !== null && payment.providerId !== facts.id) return `we know it as ${payment.providerId}`
  if (payment.providerId === null && facts.reference !== payment.id) return 'it does not carry our reference'
  if (facts.amountMinor !== payment.amountMinor)
    return `its amount is ${facts.amountMinor} instead of ${payment.amountMinor}`
  if (facts.currency !== payment.currency) return `its currency is ${facts.currency} instead of ${payment.currency}`
  if (facts.livemode !== (payment.mode === 'LIVE')) return `it is ${facts.livemode ? 'live' : 'a test'}`
  return null
}
