import type { Payment } from '../../../generated/prisma/client.ts'
import { type Context, withoutIdempotentResult, inTransaction } from '../../platform/auth/context.ts'
import { CardAccountLost, type CardPayment, CardRefused } from '../../ports/cards/cards.ts'
import { HOUR, secondsFrom } from '../../core/clock.ts'
import { crashPoint } from '../../core/crash.ts'
import { AppError, notFound } from '../../core/errors.ts'
import type { Currency } from '../../core/money.ts'
import { seal, unseal } from '../../core/secrets.ts'
import { purchaseUnpaid } from '../purchases/purchase-unpaid.ts'
import { advancePayment } from './advance-payment.ts'
import { cardsOf, withCallerErrors } from './card-gateway.ts'
import { lockPayment } from './lock-payment.ts'
import { labelsOf } from './payment-mark.ts'

/**
 * The data that a page needs to take the payment: the purchase intent's `data`, and the price that the provider will
 * charge.
 */
export type CardData = {
  account_id: string
  client_secret: string
  mode: 'TEST' | 'LIVE'
  publishable_key: string
  session_id: string
  provider_price: { currency: string; price: string }
}

/** Younger payments are made by their first request, or by a repeat that the provider recognizes by its key. */
const FIRST_TRY_SECONDS = 60
/** How far the provider's clock may be behind ours. */
const CLOCK_SKEW_SECONDS = HOUR

/**
 * Makes the payment at the provider, once: its row's id is the idempotency key there. Call it outside a transaction. A
 * repeat, after a crash or by the same buyer, returns the same.
 */
export async function createAtProvider(ctx: Context, paymentId: string): Promise<CardData> {
  const payment = await ctx.db.payment.findFirst({ where: { id: paymentId } })
  if (!payment) throw notFound()
  if (payment.state === 'OPEN') return cardDataOf(ctx, payment)
  if (payment.state !== 'CREATING') throw over()
  const made = await withCallerErrors(() => requestAtProvider(ctx, payment))
  crashPoint('payment_created')
  const open = await inTransaction(withoutIdempotentResult(ctx), async (tx) => {
    const now = await lockPayment(tx, paymentId)
    if (now.state === 'CREATING')
      await advancePayment(tx, now, 'OPEN', {
        providerId: made.id,
        clientSecret: new Uint8Array(seal('payment', paymentId, made.clientSecret)),
        checkedAt: tx.now(),
      })
    return tx.db.payment.findFirstOrThrow({ where: { id: paymentId } })
  })
  if (open.state !== 'OPEN') throw over()
  return cardDataOf(ctx, open)
}

/** The data that the page of an open payment needs; null when the payment isn't open, or not any more. */
export async function findCardData(ctx: Context, paymentId: string): Promise<CardData | null> {
  const payment = await ctx.db.payment.findFirst({ where: { id: paymentId, state: 'OPEN' } })
  return payment && cardDataOf(ctx, payment)
}

const over = () => new AppError('conflict', 'This payment was given up or made meanwhile.')

async function requestAtProvider(ctx: Context, payment: Payment) {
  try {
    return await makeAtProvider(ctx, payment)
  } catch (error) {
    // A refusal is final: nothing can be paid, so the purchase ends and its units return.
    if (error instanceof CardRefused || error instanceof CardAccountLost)
      await inTransaction(withoutIdempotentResult(ctx), async (tx) => {
        const now = await lockPayment(tx, payment.id)
        if (now.state !== 'CREATING') return
        await advancePayment(tx, now, 'CANCELLED', { failure: error.message })
        await purchaseUnpaid(tx, now.intentId)
      })
    throw error
  }
}

/**
 * The request to the provider: repeating it makes one payment. A late repeat looks for the payment first, since the
 * provider forgets idempotency keys after a day, and the row may be from a backup.
 */
export async function makeAtProvider(ctx: Context, payment: Payment): Promise<CardPayment & { clientSecret: string }> {
  const made = isFirstTry(ctx, payment) ? null : await findAtProvider(ctx, payment)
  return (
    made ??
    cardsOf(ctx, payment).payments.create(payment.id, {
      accountId: payment.accountId,
      amountMinor: payment.amountMinor,
      feeMinor: payment.feeMinor,
      currency: payment.currency as Currency,
      reference: payment.id,
      metadata: await labelsOf(ctx, payment),
      description: `Purchase ${payment.intentId}`,
    })
  )
}

const isFirstTry = (ctx: Context, { createdAt }: Payment): boolean =>
  createdAt > secondsFrom(ctx.now(), -FIRST_TRY_SECONDS)

/** The payment that an earlier request made; null when there is none. */
export const findAtProvider = (ctx: Context, payment: Payment) =>
  cardsOf(ctx, payment).payments.find(payment.accountId, {
    reference: payment.id,
    since: secondsFrom(payment.createdAt, -CLOCK_SKEW_SECONDS),
  })

function cardDataOf(ctx: Context, payment: Payment): CardData {
  if (!payment.clientSecret) throw new Error(`Payment ${payment.id} is open without its secret.`)
  return {
    account_id: payment.accountId,
    client_secret: unseal<string>('payment', payment.id, payment.clientSecret),
    mode: payment.mode,
    publishable_key: cardsOf(ctx, payment).publishableKey,
    session_id: payment.intentId,
    provider_price: { currency: payment.currency, price: payment.amountMinor.toString() },
  }
}
