import { Prisma, type PurchaseIntent, type Voucher } from '../../../../generated/prisma/client.ts'
import type { z } from 'zod'
import type { EventData } from '../../../platform/api/event-data.ts'
import type { createdPurchaseIntent } from '../../../platform/api/purchases.ts'
import { clientNetwork } from '../../../core/ip-address.ts'
import { secondsFrom } from '../../../core/clock.ts'
import { newId } from '../../../core/id.ts'
import { mailboxOf } from '../../../core/mailbox.ts'
import type { Audited } from '../../../records/audit/record-audit.ts'
import { purchaseEventOf } from '../purchase-event.ts'
import { newSecretOf } from '../purchase-secret.ts'
import { sessionSecondsOf } from '../purchase-terms.ts'
import { madePurchaseOf } from '../show-purchase.ts'
import { voucherEntryOf } from '../../../onchain/vouchers/show-voucher.ts'
import { voucherRowOf } from '../../../onchain/vouchers/issue-voucher.ts'
import type { Accepted, SoldUnit } from './judge-orders.ts'
import type { Order } from './order.ts'
import type { Facts } from './read-facts.ts'

type Mint = { id: string; unit: SoldUnit }

/** A purchase of a batch with all that is written of it. */
export type Sale = {
  order: Order
  intent: PurchaseIntent
  units: readonly SoldUnit[]
  /** Of a free purchase, one a unit. */
  mints: readonly Mint[]
  voucher: Voucher | null
  audits: readonly Audited[]
  /** What integrators are told of a confirmed one. */
  confirmed: EventData<'purchase.confirmed'> | null
  answer: z.output<typeof createdPurchaseIntent>
}

/** The states that a purchase of a batch passes in its one transaction. What is free is confirmed and delivered at once. */
const STEPS = {
  voucher: [{ status: 'PENDING', fulfillment_status: 'PENDING' }],
  free: [
    { status: 'PENDING', fulfillment_status: 'PENDING' },
    { status: 'CONFIRMED', fulfillment_status: 'PENDING' },
    { status: 'CONFIRMED', fulfillment_status: 'ASSIGNED' },
  ],
} as const

export function saleOf({ offer, collection }: Facts, order: Order, accepted: Accepted, now: Date): Sale {
  const { secret, columns } = newSecretOf({ id: accepted.id, secretGeneration: 0 })
  const intent = { ...intentOf({ offer }, order, accepted, now), ...columns }
  const voucher =
    accepted.voucher && voucherRowOf(order.ctx, { purchaseIntentId: intent.id }, accepted.voucher.signed, now)
  const mints = accepted.voucher ? [] : accepted.units.map((unit) => ({ id: newId(), unit }))
  const steps = accepted.voucher ? STEPS.voucher : STEPS.free
  const view = madePurchaseOf(
    order.ctx,
    {
      ...intent,
      listing: offer,
      units: accepted.units.map(({ item, quantity }) => ({ quantity, item: { ...item, collection } })),
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
    steps.map((step) => ({ at: now, ...step, detail: null })),
    voucher && voucherEntryOf(voucher),
  )
  return {
    order,
    intent,
    units: accepted.units,
    mints,
    voucher,
    audits: steps.map((step, at) => auditOf(intent, step, steps[at - 1])),
    confirmed: accepted.voucher ? null : purchaseEventOf(intent),
    answer: { ...view, secret },
  }
}

type Step = (typeof STEPS.free)[number]

const auditOf = (intent: PurchaseIntent, step: Step, before: Step | undefined): Audited => ({
  action: before ? 'purchase_intent.advanced' : 'purchase_intent.created',
  subject: { type: 'purchase_intent', id: intent.id },
  ...(before && { before }),
  after: before ? step : purchaseEventOf(intent, step),
})

function intentOf(
  { offer }: Pick<Facts, 'offer'>,
  { ctx, terms, origin, locale }: Order,
  { id, proofHash, voucher }: Accepted,
  now: Date,
): Omit<PurchaseIntent, 'secretHash' | 'serverKeyId'> {
  const { provider, method, quantity, buyer } = terms
  const isFree = voucher === null
  return {
    id,
    organizationId: ctx.organizationId,
    listingId: offer.id,
    mode: offer.mode,
    provider,
    status: isFree ? 'CONFIRMED' : 'PENDING',
    fulfillmentStatus: isFree ? 'ASSIGNED' : 'PENDING',
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
    unitsState: isFree ? 'CONFIRMED' : 'OPEN',
    proofHash,
    expiresAt: voucher?.expiresAt ?? secondsFrom(now, sessionSecondsOf(offer, provider)),
    failure: null,
    recoveredAt: null,
    confirmedAt: isFree ? now : null,
    completedAt: null,
    createdAt: now,
    updatedAt: now,
  }
}
