import type { z } from 'zod'
import type {
  Collection,
  Item,
  Listing,
  MintRequest,
  Payment,
  PurchaseIntent,
  Transaction,
  Voucher,
} from '../../../generated/prisma/client.ts'
import type { adminPurchaseIntent, purchaseIntent } from '../../platform/api/purchases.ts'
import type { Context } from '../../platform/auth/context.ts'
import { isSuspended } from '../../platform/auth/suspended.ts'
import { type Delivery, deliveryOf, emailHintOf, NOT_DELIVERED } from '../../giving/claim-state.ts'
import { mediaOf, shownAttributesOf, titleOf } from '../../catalog/items/show-item.ts'
import { voucherEntryOf } from '../../onchain/vouchers/show-voucher.ts'
import type { PurchaseRow } from './read-purchase.ts'
import { timelinesOf } from './timeline.ts'

type View = z.output<typeof purchaseIntent>
type AdminView = z.output<typeof adminPurchaseIntent>
type Unit = View['units'][number]

const DELIVERY_ORDER: readonly Delivery['state'][] = ['FAILED', 'NOT_STARTED', 'QUEUED', 'SUBMITTED', 'CONFIRMED']

type ShownMint = Pick<MintRequest, 'itemId' | 'state' | 'txHash' | 'failure'> & {
  transaction: Pick<Transaction, 'txHash'>
}
type ShownVoucher = Pick<Voucher, 'itemId' | 'state' | 'txHash'>

/** The fields of a purchase and its rows that are shown, whether it was read or has just been made. */
export type ShownPurchase = Pick<
  PurchaseIntent,
  | 'id'
  | 'organizationId'
  | 'listingId'
  | 'provider'
  | 'status'
  | 'fulfillmentStatus'
  | 'fulfillmentMethod'
  | 'quantity'
  | 'refundedQuantity'
  | 'total'
  | 'currency'
  | 'buyerEmail'
  | 'buyerAddress'
  | 'locale'
  | 'failure'
  | 'expiresAt'
  | 'createdAt'
  | 'confirmedAt'
  | 'completedAt'
> & {
  listing: Pick<Listing, 'currencyDecimals'>
  units: readonly {
    quantity: bigint
    item: Pick<Item, 'id' | 'tokenId' | 'attributes' | 'imageSource' | 'imageCid' | 'imageFile'> & {
      collection: Pick<Collection, 'networkId' | 'name' | 'revealStrategy' | 'revealedAt' | 'previewMetadata'>
    }
  }[]
  claims: readonly { itemId: string; mintRequests: readonly ShownMint[]; vouchers: readonly ShownVoucher[] }[]
  mintRequests: readonly ShownMint[]
  vouchers: readonly ShownVoucher[]
}

/** A purchase with the fields that only the organization sees: ids, the mode, the origin and payments. */
export type ListedPurchase = Omit<ShownPurchase, 'units' | 'claims' | 'mintRequests' | 'vouchers'> &
  Pick<PurchaseIntent, 'mode' | 'origin'> & {
    listing: Pick<Listing, 'collectionId'>
    units: readonly (ShownPurchase['units'][number] & { itemId: string })[]
    claims: readonly (ShownPurchase['claims'][number] & { id: string })[]
    mintRequests: readonly (ShownMint & { id: string })[]
    vouchers: readonly (ShownVoucher & { id: string })[]
    payments: readonly Pick<
      Payment,
      | 'id'
      | 'state'
      | 'amountMinor'
      | 'refundedMinor'
      | 'feeMinor'
      | 'currency'
      | 'providerId'
      | 'failure'
      | 'paidAt'
      | 'refundedAt'
    >[]
  }

function unitsOf(ctx: Pick<Context, 'ports'>, row: ShownPurchase): Unit[] {
  return row.units.map(({ item, quantity }) => {
    const { networkId } = item.collection
    const network = networkId === null ? undefined : ctx.ports.chains.get(networkId)?.network
    const claim = row.claims.find(({ itemId }) => itemId === item.id)
    const mint = row.mintRequests.find(({ itemId }) => itemId === item.id) ?? claim?.mintRequests[0]
    const voucher = row.vouchers.find(({ itemId }) => itemId === item.id) ?? claim?.vouchers[0]
    const attributes = shownAttributesOf(item)
    const { image } = mediaOf(item, attributes, ctx.ports.addresses.origin)
    return {
      item_id: item.id,
      collection_name: item.collection.name,
      token_id: item.tokenId,
      title: titleOf(attributes),
      image: image && image.cid !== null ? image.full : null,
      quantity,
      delivery: deliveryOf({ networkId, tokenId: item.tokenId, network }, mint, voucher),
    }
  })
}

/** A recovered purchase may have no units. */
const slowestDelivery = (units: readonly Unit[]): Delivery =>
  units
    .map(({ delivery }) => delivery)
    .reduce(
      (least, each) => (DELIVERY_ORDER.indexOf(each.state) < DELIVERY_ORDER.indexOf(least.state) ? each : least),
      units[0]?.delivery ?? NOT_DELIVERED,
    )

function sharedOf(ctx: Pick<Context, 'ports'>, row: ShownPurchase, timeline: View['timeline']) {
  const units = unitsOf(ctx, row)
  return {
    id: row.id,
    expires_at: row.expiresAt,
    listing_id: row.listingId,
    organization_id: row.organizationId,
    provider: row.provider,
    status: row.status,
    fulfillment_status: row.fulfillmentStatus,
    fulfillment_method: row.fulfillmentMethod,
    quantity: row.quantity,
    refunded_quantity: row.refundedQuantity,
    price: row.total.toFixed(),
    currency: row.currency,
    currency_decimals: row.listing.currencyDecimals,
    eth_address: row.buyerAddress,
    locale: row.locale,
    failure: row.failure,
    delivery: slowestDelivery(units),
    units,
    timeline,
    created_at: row.createdAt,
    confirmed_at: row.confirmedAt,
    completed_at: row.completedAt,
  }
}

/**
 * A purchase as the holder of its secret sees it. `data` is what the payment provider needs; it is left out while the
 * organization or collection is suspended, so that nothing can be paid.
 */
export async function purchaseViewOf(ctx: Context, row: PurchaseRow, data: View['data']): Promise<View> {
  const suspended = await isSuspended(ctx, row.listing)
  const timeline = (await timelinesOf(ctx, [row.id])).get(row.id)!
  return { ...madePurchaseOf(ctx, row, timeline, suspended ? null : data), suspended }
}

/** A just made purchase as the holder of its secret sees it. For any other, the caller sets `suspended` itself. */
export const madePurchaseOf = (
  ctx: Pick<Context, 'ports'>,
  row: ShownPurchase,
  timeline: View['timeline'],
  data: View['data'],
): View => ({
  ...sharedOf(ctx, row, timeline),
  suspended: false,
  data,
  email_hint: row.buyerEmail && emailHintOf(row.buyerEmail),
})

/** The buyer's voucher, while it can be sent. */
export function voucherDataOf(row: Pick<PurchaseRow, 'status' | 'vouchers'>, now: Date): View['data'] {
  const [voucher] = row.vouchers
  return row.status === 'PENDING' && voucher?.state === 'PENDING' && Number(voucher.expiry) * 1000 > now.getTime()
    ? voucherEntryOf(voucher)
    : null
}

/** A purchase as the organization sees it. */
export const adminPurchaseOf = async (ctx: Context, row: PurchaseRow): Promise<AdminView> =>
  adminViewOf(ctx, row, (await timelinesOf(ctx, [row.id])).get(row.id)!)

/** A purchase with its timeline, as the organization sees it. */
export function adminViewOf(ctx: Context, row: ListedPurchase, timeline: View['timeline']): AdminView {
  const [payment] = row.payments
  return {
    ...sharedOf(ctx, row, timeline),
    collection_id: row.listing.collectionId,
    item_ids: row.units.map(({ itemId }) => itemId),
    email: row.buyerEmail,
    mode: row.mode,
    origin: row.origin,
    email_claim_ids: row.claims.map(({ id }) => id),
    mint_request_ids: row.mintRequests.map(({ id }) => id),
    voucher_id: row.vouchers[0]?.id ?? null,
    payment: payment
      ? {
          id: payment.id,
          state: payment.state,
          amount: payment.amountMinor.toString(),
          refunded: payment.refundedMinor.toString(),
          fee: payment.feeMinor.toString(),
          currency: payment.currency,
          provider_payment_id: payment.providerId,
          failure: payment.failure,
          paid_at: payment.paidAt,
          refunded_at: payment.refundedAt,
        }
      : null,
    refundable: payment?.state === 'SUCCEEDED' && !isInFlight(row),
  }
}

/** Something signed may still be mined: nobody can stop that. */
export const isInFlight = (row: Pick<ListedPurchase, 'mintRequests' | 'claims'>): boolean =>
  [...row.mintRequests, ...row.claims.flatMap(({ mintRequests }) => mintRequests)].some(
    ({ state }) => state === 'SUBMITTED',
  ) || hasValidVoucher(row)

/** The recipient of one of its claims holds a signed voucher. */
export const hasValidVoucher = (row: Pick<ListedPurchase, 'claims'>): boolean =>
  row.claims.some(({ vouchers }) => vouchers[0]?.state === 'PENDING')
