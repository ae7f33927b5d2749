import { z } from 'zod'
import type { FulfillmentMethod, Payment } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { hmacsOf, type KeyedMac, sameBytes } from '../../core/secrets.ts'
import type { ListedPayment } from '../../ports/cards/cards.ts'
import { purchaseKeyIdOf } from '../purchases/purchase-secret.ts'

/** The purchase that a payment is for, as it is stored with the payment at the provider. */
export type MarkedPurchase = {
  paymentId: string
  intentId: string
  listingId: string
  quantity: bigint
  method: FulfillmentMethod
}
/** `serverKeyId`: the key that marked it. */
export type MarkedOrder = MarkedPurchase & { serverKeyId: string }

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
 * The mark by each listed server key, the newest first. Only this installation can make it: another one, or the
 * account's owner, can use the same provider account and labels. It covers all labels and what is charged, so none of
 * them can be changed or moved to another payment that is charged differently.
 */
const marksOf = (
  { paymentId, intentId, listingId, quantity, method }: MarkedPurchase,
  charge: Charge,
): readonly KeyedMac[] =>
  hmacsOf(
    'payment-mark',
    paymentId,
    intentId,
    listingId,
    String(quantity),
    method,
    charge.accountId,
    String(charge.amountMinor),
    charge.currency,
  )

/**
 * The metadata of a payment at the provider, by which it can be understood when the books lost it. Nothing in it is
 * about a person.
 */
export async function labelsOf(ctx: Context, payment: Payment): Promise<Record<string, string>> {
  const intent = await ctx.db.purchaseIntent.findFirstOrThrow({
    where: { id: payment.intentId },
    select: {
      id: true,
      listingId: true,
      quantity: true,
      fulfillmentMethod: true,
      secretHash: true,
      secretGeneration: true,
    },
  })
  const { id: paymentId, intentId } = payment
  const { listingId, quantity, fulfillmentMethod } = intent
  const marks = marksOf({ paymentId, intentId, listingId, quantity, method: fulfillmentMethod }, payment)
  // The key of the purchase's secret, whichever is the newest now: the provider refuses a repeated request that
  // differs.
  const keyId = purchaseKeyIdOf(intent)
  const mark = marks.find((each) => each.keyId === keyId) ?? marks[0]
  return {
    purchase_intent: intentId,
    listing: listingId,
    quantity: String(quantity),
    method: fulfillmentMethod,
    mark: mark!.mac.toString('base64url'),
  }
}

/**
 * The order that a payment is for; null when this installation didn't order it, or ordered it before it marked its
 * payments.
 */
export function orderOf(listed: ListedPayment, accountId: string): MarkedOrder | null {
  const { data } = labels.safeParse(listed.metadata)
  if (!data) return null
  const order: MarkedPurchase = {
    paymentId: data.reference,
    intentId: data.purchase_intent,
    listingId: data.listing,
    quantity: BigInt(data.quantity),
    method: data.method,
  }
  const given = Buffer.from(data.mark)
  const mark = marksOf(order, { ...listed, accountId }).find(({ mac }) =>
    sameBytes(given, Buffer.from(mac.toString('base64url'))),
  )
  return mark ? { ...order, serverKeyId: mark.keyId } : null
}
