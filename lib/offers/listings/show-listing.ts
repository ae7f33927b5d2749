import type { z } from 'zod'
import type { Collection, Item, Listing } from '../../../generated/prisma/client.ts'
import type { adminListing, publicListing } from '../../platform/api/listing-record.ts'
import type { listPublicListings } from '../../platform/api/listings.ts'
import type { Output } from '../../platform/api/endpoint.ts'
import type { Context } from '../../platform/auth/context.ts'
import { fieldsOf } from '../../core/columns-of.ts'
import { AppError } from '../../core/errors.ts'
import { type Attributes, mediaOf, shownAttributesOf, titleOf } from '../../catalog/items/show-item.ts'
import { closedReasonOf } from './eligibility.ts'
import { remainingOf, statusOf } from './listing-state.ts'
import { policyTermsOf, TERMS, type TermsRow } from './listing-terms.ts'
import { obstacleOf, type SaleFacts } from './obstacles.ts'

/** A listing's row with its collection's contract address. */
export type ListingRow = Listing & { collection: Pick<Collection, 'contractAddress'> }
export const withContract = { include: { collection: { select: { contractAddress: true } } } } as const

/** What of these rows anyone may see. */
export type PublicListingRow = Pick<
  Listing,
  | 'id'
  | 'organizationId'
  | 'campaignId'
  | 'collectionId'
  | 'itemId'
  | 'networkId'
  | 'currency'
  | 'currencyAddress'
  | 'currencyDecimals'
  | 'paymentProviders'
  | 'policyType'
  | 'status'
  | 'startsAt'
  | 'endsAt'
  | 'maxPerUser'
  | 'maxQuantityPerTx'
  | 'quantityListed'
  | 'quantityOpen'
  | 'quantityConfirmed'
  | 'txPayer'
  | 'proofOfWork'
> & { price: { toFixed: () => string }; collection: Pick<Collection, 'contractAddress'> }

/** The public view of a listing, with its status at `now`. */
export function listingOf(row: PublicListingRow, now: Date): z.output<typeof publicListing> {
  if (!row.collection.contractAddress) throw new AppError('internal', 'A listed collection has no contract.')
  const remaining = remainingOf(row)
  return {
    id: row.id,
    organization_id: row.organizationId,
    campaign_id: row.campaignId,
    collection_id: row.collectionId,
    item_id: row.itemId,
    contract: row.collection.contractAddress,
    network_id: row.networkId,
    currency: row.currency,
    currency_address: row.currencyAddress,
    price: row.price.toFixed(),
    price_currency_decimals: row.currencyDecimals,
    payment_providers: row.paymentProviders,
    policy_type: row.policyType,
    status: statusOf(row, now),
    start_time: row.startsAt,
    end_time: row.endsAt,
    max_per_user: row.maxPerUser,
    max_quantity_per_tx: row.maxQuantityPerTx,
    quantity_listed: row.quantityListed,
    quantity_remaining: remaining,
    sold_out: remaining <= 0n,
    tx_payer: row.txPayer,
    proof_of_work: row.proofOfWork,
  }
}

type Pictured = Pick<Item, 'attributes' | 'imageSource' | 'imageCid' | 'imageFile'>
type PicturedCollection = Pick<
  Collection,
  | 'contractAddress'
  | 'name'
  | 'revealStrategy'
  | 'revealedAt'
  | 'previewMetadata'
  | 'imageUrl'
  | 'thumbnailImageUrl'
  | 'headerImageUrl'
>

/** A listing with what a shop shows of its item or, where there is none, of its collection. */
export type ShopListingRow = PublicListingRow &
  Pictured & { suspended: boolean; facts: SaleFacts; isItem: boolean; collection: PicturedCollection }

const checkoutUrlOf = ({ ports }: Pick<Context, 'ports'>, id: string): string => `${ports.addresses.recipients}/l/${id}`

/** A listing as a shop shows it, with its status at `now`. */
export function shopListingOf(
  ctx: Pick<Context, 'now' | 'ports'>,
  row: ShopListingRow,
): Output<typeof listPublicListings>['results'][number] {
  const attributes = row.isItem ? shownAttributesOf(row) : attributesOf(row.collection)
  const picture = row.isItem ? row : { imageSource: null, imageCid: null, imageFile: null }
  return {
    ...listingOf(row, ctx.now()),
    title: titleOf(attributes),
    image: mediaOf(picture, attributes, ctx.ports.addresses.origin).image,
    checkout_url: checkoutUrlOf(ctx, row.id),
    suspended: row.suspended,
    reason: closedReasonOf({ ...row, obstacle: obstacleOf(ctx, row) }, ctx.now()),
  }
}

const attributesOf = ({ name, imageUrl, thumbnailImageUrl, headerImageUrl }: PicturedCollection): Attributes => ({
  title: name,
  image_url: thumbnailImageUrl ?? imageUrl ?? headerImageUrl,
})

/** What of these rows the organization sees. */
export type AdminListingRow = PublicListingRow &
  TermsRow &
  Pick<Listing, 'mode' | 'snapshotId' | 'assignment' | 'createdAt' | 'updatedAt'>

/** The organization's view of a listing. */
export const adminListingOf = (
  ctx: Pick<Context, 'now' | 'ports'>,
  row: AdminListingRow,
): z.output<typeof adminListing> => ({
  ...listingOf(row, ctx.now()),
  ...fieldsOf(TERMS, row),
  policy: {
    type: row.policyType,
    snapshot_id: row.snapshotId,
    ...policyTermsOf(row),
    item_assignment_strategy: row.assignment,
    tx_payer: row.txPayer,
  },
  sale_type: 'DEFAULT',
  mode: row.mode,
  quantity_open: row.quantityOpen,
  quantity_confirmed: row.quantityConfirmed,
  checkout_url: checkoutUrlOf(ctx, row.id),
  created_at: row.createdAt,
  updated_at: row.updatedAt,
})
