import { Prisma, type PurchaseIntent, type Voucher } from '../../../../generated/prisma/client.ts'
import type { z } from 'zod'
import type { EventData } from '../../../platform/api/event-data.ts'
import type { createdPurchaseIntent } from '../../../platform/api/purchases.ts'
import { clientNetwork } from '../../../core/ip-address.ts'
import { newId } from '../../../core/id.ts'
import { mailboxOf } from '../../../core/mailbox.ts'
import type { Audited } from '../../../records/audit/record-audit.ts'
import type { Offer } from '../../../offers/listings/offer.ts'
import { isUnpaid } from '../open-purchase-limits.ts'
import { purchaseEventOf } from '../purchase-event.ts'
import { newSecretOf } from '../purchase-secret.ts'
import { madePurchaseOf } from '../show-purchase.ts'
import { voucherEntryOf } from '../../../onchain/vouchers/show-voucher.ts'
import { voucherRowOf } from '../../../onchain/vouchers/issue-voucher.ts'
import type { Accepted, SoldUnit } from './judge-orders.ts'
import type { PurchaseRequest } from './purchase-request.ts'
import type { Facts } from './read-facts.ts'

type Mint = { id: string; unit: SoldUnit }

/** A purchase of a batch with all that is written of it. */
export type Sale = {
  order: PurchaseRequest
  intent: PurchaseIntent
  units: readonly SoldUnit[]
  /** Of a free purchase, one a unit. */
  mints: readonly Mint[]
  voucher: Voucher | null
  /** The states that it passes with that. */
  steps: readonly Step[]
  /** The event of a confirmed purchase for integrators. */
  confirmed: EventData<'purchase.confirmed'> | null
  secret: string
}

/**
 * The states that a purchase passes when it is made. A free one is confirmed at once, and assigned where its mints are
 * requested with it; any other has the first alone.
 */
const STEPS = [
  { status: 'PENDING', fulfillment_status: 'PENDING' },
  { status: 'CONFIRMED', fulfillment_status: 'PENDING' },
  { status: 'CONFIRMED', fulfillment_status: 'ASSIGNED' },
] as const
type Step = (typeof STEPS)[number]

export function saleOf({ offer, minting }: Facts, order: PurchaseRequest, accepted: Accepted, now: Date): Sale {
  const isFree = !isUnpaid(order)
  const steps = isFree ? STEPS.slice(0, minting ? 3 : 2) : STEPS.slice(0, 1)
  const { secret, columns } = newSecretOf({ id: accepted.id, secretGeneration: 0 })
  const intent = { ...intentOf(offer, order, accepted, steps.at(-1)!, now), ...columns }
  return {
    order,
    intent,
    units: accepted.units,
    mints: isFree && minting ? accepted.units.map((unit) => ({ id: newId(), unit })) : [],
    voucher: accepted.voucher && voucherRowOf(order.ctx, { purchaseIntentId: intent.id }, accepted.voucher.signed, now),
    steps,
    confirmed: isFree ? purchaseEventOf(intent) : null,
    secret,
  }
}

/** The answer to a sale's buyer, where all that belongs to the sale is written. */
export function answerOf({ offer, collection }: Facts, sale: Sale): z.output<typeof createdPurchaseIntent> {
  const { order, intent, mints, voucher, secret } = sale
  const view = madePurchaseOf(
    order.ctx,
    {
      ...intent,
      listing: offer,
      units: sale.units.map(({ item, quantity }) => ({ quantity, item: { ...item, collection } })),
      claims: [],
      mintRequests: mints.map(({ unit }) => ({
        itemId: unit.item.id,
        state: 'WAITING',
        txHash: null,
        failure: null,
        transaction: { txHash: null },
      })),
      vouchers: voucher ? [voucher] : [],
    },
    sale.steps.map((step) => ({ at: intent.createdAt, ...step, detail: null })),
    voucher && voucherEntryOf(voucher),
  )
  return { ...view, secret }
}

/** The audit entries of a sale, one for each step. */
export const auditsOf = ({ intent, steps }: Sale): Audited[] =>
  steps.map((step, at) => auditOf(intent, step, steps[at - 1]))

const auditOf = (intent: PurchaseIntent, step: Step, before: Step | undefined): Audited => ({
  action: before ? 'purchase_intent.advanced' : 'purchase_intent.created',
  subject: { type: 'purchase_intent', id: intent.id },
  ...(before && { before }),
  after: before ? step : purchaseEventOf(intent, step),
})

function intentOf(
  offer: Offer,
  { ctx, terms, origin, locale }: PurchaseRequest,
  { id, proofHash, expiresAt }: Accepted,
  { status, fulfillment_status: fulfillmentStatus }: Step,
  now: Date,
): Omit<PurchaseIntent, 'secretHash' | 'serverKeyId'> {
  const { provider, method, quantity, buyer } = terms
  const isConfirmed = status === 'CONFIRMED'
  return {
    id,
    organizationId: ctx.organizationId,
    listingId: offer.id,
    mode: offer.mode,
    provider,
    status,
    fulfillmentStatus,
    fulfillmentMethod: method,
    quantity,
    refundedQuantity: 0n,
    total: new Prisma.Decimal((offer.price * quantity).toString()),
    currency: offer.currency,
    buyerEmail: buyer.email,
    buyerMailbox: buyer.email && mailboxOf(buyer.email),
    buyerAddress: buyer.address,
    buyerProved: false,
    secretGeneration: 0,
    origin,
    locale,
    clientAddress: ctx.clientAddress || null,
    clientNetwork: clientNetwork(ctx.clientAddress) || null,
    requestKey: ctx.requestKey ?? null,
    unitsState: isConfirmed ? 'CONFIRMED' : 'OPEN',
    proofHash,
    expiresAt,
    failure: null,
    recoveredAt: null,
    confirmedAt: isConfirmed ? now : null,
    completedAt: null,
    createdAt: now,
    updatedAt: now,
  }
}
