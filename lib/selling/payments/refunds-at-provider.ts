import { z } from 'zod'
import type { Payment } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { type CardRefund, CardRefused } from '../../ports/cards/cards.ts'
import { priceOfUnits } from '../purchases/refunded-part.ts'
import { cardsOf } from './card-gateway.ts'

type Refunding = Payment & { providerId: string; refundId: string }

/**
 * The refund of a payment, made now or earlier; null when all of the payment was refunded by others. The provider's
 * refunds are listed first: the answer to an earlier try may have been lost, and books that were put back from a backup
 * don't know of later refunds.
 */
export async function refundAtProvider(ctx: Context, payment: Refunding): Promise<CardRefund | null> {
  const { accountId, providerId: paymentId, refundId, refundMinor } = payment
  const { refunds } = cardsOf(ctx, payment)
  const made = (await refunds.list(accountId, paymentId)).filter(({ status }) => status !== 'failed')
  const ours = made.find(({ reference }) => reference === refundId)
  if (ours) return ours
  if (sumOf(made) >= payment.amountMinor) return null
  const forgotten = refundMinor === null ? null : await forgottenRefundsOf(ctx, payment, made)
  if (forgotten && forgotten.amountMinor >= refundMinor!) return forgotten.newest
  try {
    return await refunds.create(refundId, {
      accountId,
      paymentId,
      reference: refundId,
      withFee: payment.feeMinor > 0n,
      amountMinor: refundMinor === null ? null : refundMinor - (forgotten?.amountMinor ?? 0n),
    })
  } catch (error) {
    if (error instanceof CardRefused && (error.code === 'already_refunded' || error.code === 'disputed')) return null
    throw error
  }
}

/**
 * Our refunds of the payment's units that the books don't count: their sum, in minor units, and the newest. null where
 * there are none. The organization's own refunds at the provider have no reference of ours.
 */
async function forgottenRefundsOf(
  ctx: Context,
  { intentId }: Payment,
  made: readonly CardRefund[],
): Promise<{ amountMinor: bigint; newest: CardRefund } | null> {
  const ours = made.filter(({ reference }) => z.uuid().safeParse(reference).success)
  const intent = await ctx.db.purchaseIntent.findFirstOrThrow({
    where: { id: intentId },
    select: { quantity: true, total: true, refundedQuantity: true },
  })
  const amountMinor = sumOf(ours) - priceOfUnits(intent, intent.refundedQuantity)
  return ours[0] && amountMinor > 0n ? { amountMinor, newest: ours[0] } : null
}

const sumOf = (refunds: readonly CardRefund[]): bigint =>
  refunds.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
