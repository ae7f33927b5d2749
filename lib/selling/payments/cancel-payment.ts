import type { Payment } from '../../../generated/prisma/client.ts'
import { type Context, withoutIdempotentResult, inTransaction } from '../../platform/auth/context.ts'
import { CardAccountLost, type CardPayment, CardRefused, CardsUnavailable } from '../../ports/cards/cards.ts'
import { HOUR } from '../../core/clock.ts'
import { crashPoint } from '../../core/crash.ts'
import { paymentUnknown } from '../purchases/payment-unknown.ts'
import { purchaseUnpaid } from '../purchases/purchase-unpaid.ts'
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
    const facts = await cancelAtProvider(ctx, payment)
    crashPoint('payment_cancelled')
    return outcomeOf(facts ? await applyProviderState(ctx, paymentId, facts) : await endUnpaid(ctx, paymentId))
  } catch (error) {
    if (error instanceof CardAccountLost) return leaveUnresolved(ctx, payment)
    if (error instanceof CardsUnavailable) return 'unknown'
    if (error instanceof CardRefused && payment.providerId === null) return outcomeOf(await endUnpaid(ctx, paymentId))
    throw error
  }
}

/** null: the provider never heard of the payment. */
async function cancelAtProvider(ctx: Context, payment: Payment): Promise<CardPayment | null> {
  const { payments } = cardsOf(ctx, payment)
  if (payment.providerId !== null) return payments.cancel(payment.accountId, payment.providerId)
  const isForgotten = ctx.now().getTime() - payment.createdAt.getTime() > KEY_LIFE_SECONDS * 1000
  const made = await (isForgotten ? findAtProvider(ctx, payment) : makeAtProvider(ctx, payment))
  return made && payments.cancel(payment.accountId, made.id)
}

/** Nobody ever had the secret of a payment that the provider hasn't answered for, so that one wasn't paid. */
async function leaveUnresolved(ctx: Context, { id, intentId, accountId, providerId }: Payment): Promise<Cancelled> {
  if (providerId === null) return outcomeOf(await endUnpaid(ctx, id))
  return inTransaction(withoutIdempotentResult(ctx), async (tx) => {
    const now = await lockPayment(tx, id)
    if (isUnpaid(now.state)) await paymentUnknown(tx, intentId, { accountId, providerId })
    return outcomeOf(now)
  })
}

const endUnpaid = (ctx: Context, paymentId: string): Promise<Payment> =>
  inTransaction(withoutIdempotentResult(ctx), async (tx) => {
    const payment = await lockPayment(tx, paymentId)
    if (!isUnpaid(payment.state)) return payment
    await advancePayment(tx, payment, 'CANCELLED')
    await purchaseUnpaid(tx, payment.intentId)
    return tx.db.payment.findFirstOrThrow({ where: { id: paymentId } })
  })

const outcomeOf = ({ state }: Payment): Cancelled =>
  state === 'CANCELLED' ? 'cancelled' : isUnpaid(state) ? 'unknown' : 'succeeded'
