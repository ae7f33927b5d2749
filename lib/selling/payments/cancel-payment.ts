import type { Payment } from '../../../generated/prisma/client.ts'
import { type Context, withoutIdempotentResult, inTransaction } from '../../platform/auth/context.ts'
import { CardAccountLost, type CardPayment, CardRefused, CardsUnavailable } from '../../ports/cards/cards.ts'
import { HOUR } from '../../core/clock.ts'
import { crashPoint } from '../../core/crash.ts'
import { askOutside } from '../../db/ask-outside.ts'
import { paymentUnknown } from '../purchases/payment-unknown.ts'
import { advancePayment } from './advance-payment.ts'
import { cardsOf } from './card-gateway.ts'
import { findAtProvider, makeAtProvider } from './create-at-provider.ts'
import { lockPayment } from './lock-payment.ts'
import { isUnpaid } from './payment-state.ts'
import { applyProviderState } from './apply-provider-state.ts'

export type Cancelled = 'cancelled' | 'succeeded' | 'unknown'

/** The provider forgets idempotency keys after a day: a payment older than this isn't requested again. */
const KEY_LIFE_SECONDS = 20 * HOUR

/**
 * Cancels an unpaid payment at the provider and records the result first. `cancelled`: the purchase ended. `succeeded`:
 * it was paid before. `unknown`: the provider gave no answer, and reconciliation will ask again. Call it outside a
 * transaction. A payment of a lost account may have been paid: its purchase becomes UNRESOLVED.
 */
export async function cancelPayment(ctx: Context, paymentId: string): Promise<Cancelled> {
  const payment = await inTransaction(withoutIdempotentResult(ctx), async (tx) => {
    const now = await lockPayment(tx, paymentId)
    // From here on nobody gets the secret with which it could be paid.
    if (now.state === 'CREATING' || now.state === 'OPEN') await advancePayment(tx, now, 'CANCELLING')
    return tx.db.payment.findFirstOrThrow({ where: { id: paymentId } })
  })
  if (payment.state !== 'CANCELLING') return outcomeOf(payment)
  crashPoint('payment_cancelling')
  try {
    const ended = await askOutside(
      ctx,
      { table: 'payments', id: paymentId },
      () => cancelAtProvider(ctx, payment),
      (answer) => applyProviderState(ctx, answer),
    )
    return outcomeOf(ended)
  } catch (error) {
    if (error instanceof CardAccountLost) return leaveUnresolved(ctx, payment)
    if (error instanceof CardsUnavailable) return 'unknown'
    throw error
  }
}

/**
 * null: the provider never heard of the payment, or we can't ask it about one whose making it hasn't answered: nobody
 * ever had the secret of that, so it wasn't paid.
 */
async function cancelAtProvider(ctx: Context, payment: Payment): Promise<CardPayment | null> {
  try {
    const facts = await requestCancellation(ctx, payment)
    crashPoint('payment_cancelled')
    return facts
  } catch (error) {
    if (payment.providerId === null && (error instanceof CardAccountLost || error instanceof CardRefused)) return null
    throw error
  }
}

async function requestCancellation(ctx: Context, payment: Payment): Promise<CardPayment | null> {
  const { payments } = cardsOf(ctx, payment)
  if (payment.providerId !== null) return payments.cancel(payment.accountId, payment.providerId)
  const isForgotten = ctx.now().getTime() - payment.createdAt.getTime() > KEY_LIFE_SECONDS * 1000
  const made = await (isForgotten ? findAtProvider(ctx, payment) : makeAtProvider(ctx, payment))
  return made && payments.cancel(payment.accountId, made.id)
}

const leaveUnresolved = (ctx: Context, { id, intentId, accountId, providerId }: Payment): Promise<Cancelled> =>
  inTransaction(withoutIdempotentResult(ctx), async (tx) => {
    const now = await lockPayment(tx, id)
    if (isUnpaid(now.state) && providerId !== null) await paymentUnknown(tx, intentId, { accountId, providerId })
    return outcomeOf(now)
  })

const outcomeOf = ({ state }: Payment): Cancelled =>
  state === 'CANCELLED' ? 'cancelled' : isUnpaid(state) ? 'unknown' : 'succeeded'
