import { type Context, withoutIdempotentResult, inTransaction } from '../../platform/auth/context.ts'
import { AppError } from '../../core/errors.ts'
import { cancelPayment } from '../payments/cancel-payment.ts'
import { advancePurchase } from './advance-purchase.ts'
import { lockPurchase } from './lock-purchase.ts'
import { purchaseUnpaid } from './purchase-unpaid.ts'

const confirmed = () => new AppError('purchase_confirmed', 'This purchase is made: it can’t be given up any more.')

/**
 * Gives up a purchase for its buyer. A card payment is cancelled at the provider first; if it has succeeded there, the
 * purchase is paid. A voucher may still be sent, so its units return only when it ends. Giving up twice changes
 * nothing.
 */
export async function giveUpPurchase(ctx: Context, id: string): Promise<undefined> {
  const intent = await ctx.db.purchaseIntent.findFirstOrThrow({
    where: { id },
    include: { payments: { where: { state: { not: 'CANCELLED' } } } },
  })
  if (intent.status === 'EXPIRED' || intent.status === 'CANCELLED') return undefined
  if (intent.status !== 'PENDING') throw confirmed()
  const [payment] = intent.payments
  if (payment) return giveUpPayment(ctx, payment.id)
  return inTransaction(withoutIdempotentResult(ctx), (tx) => giveUpVoucher(tx, id))
}

async function giveUpPayment(ctx: Context, paymentId: string): Promise<undefined> {
  const outcome = await cancelPayment(ctx, paymentId)
  if (outcome === 'succeeded') throw confirmed()
  if (outcome === 'unknown')
    throw new AppError(
      'unavailable',
      'The card provider does not answer right now, so whether this was paid isn’t known. Try again in a moment.',
      { retryAfterSeconds: 5 },
    )
  return undefined
}

/**
 * Gives up a purchase that is paid with a voucher. While the voucher may still be sent, the units return only when it
 * ends. Throws `purchase_confirmed`; a purchase that has ended stays as it is. `detail` is shown in its timeline.
 */
export async function giveUpVoucher(tx: Context, id: string, detail?: string): Promise<undefined> {
  const intent = await lockPurchase(tx, id)
  if (intent.status === 'CONFIRMED') throw confirmed()
  if (intent.status !== 'PENDING') return undefined
  const voucher = await tx.db.voucher.findFirst({
    where: { purchaseIntentId: id, state: 'PENDING' },
    select: { id: true },
  })
  if (voucher) await advancePurchase(tx, intent, { status: 'CANCELLED' }, {}, detail)
  else await purchaseUnpaid(tx, id)
  return undefined
}
