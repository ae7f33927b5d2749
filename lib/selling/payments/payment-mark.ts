import { z } from 'zod'
import type { FulfillmentMethod, Payment } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { hmac, sameBytes } from '../../core/secrets.ts'
import type { ListedPayment } from '../../ports/cards/cards.ts'

/** What a payment was ordered for, as it is stored with it at the provider. */
export type Order = {
  paymentId: string
  intentId: string
  listingId: string
  quantity: bigint
  method: FulfillmentMethod
}

type Charge = { accountId: string; amountMinor: bigint; currency: string }

const labels = z.object({
  reference: z.uuid(),
  purchase_intent: z.uuid(),
  listing: z.uuid(),
  quantity: z.string().regex(/^[1-9]\d{0,17}$/),
  method: z.enum(['EMAIL', 'TRANSFER', 'VOUCHER']),
  mark: z.string(),
})

/**
 * Only this installation can make the mark: another one, or the account's owner, can use the same provider account and labels. It covers
 * all labels and what is charged, so none of them can be changed or moved to another payment that is charged differently.
 */
const markOf = ({ paymentId, intentId, listingId, quantity, method }: Order, charge: Charge): string =>
  hmac(
    'payment-mark',
    paymentId,
    intentId,
    listingId,
    String(quantity),
    method,
    charge.accountId,
    String(charge.amountMinor),
    charge.currency,
  ).toString('base64url')

/** What a payment carries at the provider, so that it can be understood when the books lost it. Nothing of it is about a person. */
export async function labelsOf(ctx: Context, payment: Payment): Promise<Record<string, string>> {
  const { listingId, quantity, fulfillmentMethod } = await ctx.db.purchaseIntent.findFirstOrThrow({
    where: { id: payment.intentId },
    select: { listingId: true, quantity: true, fulfillmentMethod: true },
  })
  const { id: paymentId, intentId } = payment
  const mark = markOf({ paymentId, intentId, listingId, quantity, method: fulfillmentMethod }, payment)
  return {
    purchase_intent: intentId,
    listing: listingId,
    quantity: String(quantity),
    method: fulfillmentMethod,
    mark,
  }
}

/** What the payment was ordered for; null when this installation didn't order it, or before it marked its payments. */
export function orderOf(listed: ListedPayment, accountId: string): Order | null {
  const { data } = labels.safeParse(listed.metadata)
  if (!data) return null
  const order: Order = {
    paymentId: data.reference,
    intentId: data.purchase_intent,
    listingId: data.listing,
    quantity: BigInt(data.quantity),
    method: data.method,
  }
  return sameBytes(Buffer.from(data.mark), Buffer.from(markOf(order, { ...listed, accountId }))) ? order : null
}
