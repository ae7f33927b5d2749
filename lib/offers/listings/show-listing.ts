import type { z } from 'zod'
import type { Collection, Item, Listing } from '../../../generated/prisma/client.ts'
import type { adminListing, publicListing } from '../../platform/api/listing-record.ts'
import type { listPublicListings } from '../../platform/api/listings.ts'
import type { Output } from '../../platform/api/endpoint.ts'
import type { Context } from '../../platform/auth/context.ts'
import { fieldsOf } from '../../core/columns-of.ts'
import { AppError } from '../../core/errors.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import { type Attributes, mediaOf, shownAttributesOf, titleOf } from '../../catalog/items/show-item.ts'
import { closedReasonOf } from './eligibility.ts'
import { remainingOf, statusOf } from './listing-state.ts'
import { policyTermsOf, TERMS, type TermsRow } from './listing-terms.ts'
import { obstacleOf, type SaleFacts } from './obstacles.ts'

/** A listing's row with its collection's contract address. */
export type ListingRow = Listing & { collection: Pick<Collection, 'contractAddress'> }
export const withContract = { include: { collection: { select: { contractAddress: true } } } } as const

/** Fields of a listing that anyone may see, with their columns. */
const PUBLIC = {
  id: 'id',
  organization_id: 'organizationId',
  campaign_id: 'campaignId',
  collection_id: 'collectionId',
  item_id: 'itemId',
  network_id: 'networkId',
  currency: 'currency',
  currency_address: 'currencyAddress',
  price_currency_decimals: 'currencyDecimals',
  payment_providers: 'paymentProviders',
  policy_type: 'policyType',
  start_time: 'startsAt',
  end_time: 'endsAt',
  max_per_user: 'maxPerUser',
  max_quantity_per_tx: 'maxQuantityPerTx',
  quantity_listed: 'quantityListed',
  tx_payer: 'txPayer',
  proof_of_work: 'proofOfWork',
} as const satisfies Record<string, keyof Listing>
const { payment_providers: _providers, ...PLAIN } = PUBLIC
/** The columns of `listings l` that the public view is made of, but its payment providers and its price. */
export const LISTING_COLUMNS = columns('l', 'Listing', [
  ...Object.values(PLAIN),
  'status',
  'quantityOpen',
  'quantityConfirmed',
])

/** The fields of a listing and its collection that anyone may see. */
export type PublicListingRow = RowOf<typeof LISTING_COLUMNS> &
  Pick<Listing, 'paymentProviders'> & {
    price: { toFixed: () => string }
    collection: Pick<Collection, 'contractAddress'>
  }

/** The public view of a listing, with its status at `now`. */
export function listingOf(row: PublicListingRow, now: Date): z.output<typeof publicListing> {
  if (!row.collection.contractAddress) throw new AppError('internal', 'A listed collection has no contract.')
  const remaining = remainingOf(row)
  return {
    ...fieldsOf(PUBLIC, row),
    contract: row.collection.contractAddress,
    price: row.price.toFixed(),
    status: statusOf(row, now),
    quantity_remaining: remaining,
    sold_out: remaining <= 0n,
  }
}

/** The columns of `items i` and of `collections c` by which a shop shows a listing. */
export const PICTURE_COLUMNS = columns('i', 'Item', ['imageSource', 'imageCid', 'imageFile'])
export const PICTURED_COLUMNS = columns('c', 'Collection', [
  'name',
  'revealStrategy',
  'revealedAt',
  'previewMetadata',
  'imageUrl',
  'thumbnailImageUrl',
  'headerImageUrl',
])
type Pictured = Pick<Item, 'attributes'> & RowOf<typeof PICTURE_COLUMNS>
type PicturedCollection = Pick<Collection, 'contractAddress'> & RowOf<typeof PICTURED_COLUMNS>

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

/** The columns of `listings l` that the organization sees besides those. */
export const ADMIN_COLUMNS = columns('l', 'Listing', [
  'mode',
  'snapshotId',
  'sessionSeconds',
  'sessionOverride',
  'claimSeconds',
  'assignment',
  'createdAt',
  'updatedAt',
])
/** The fields of a listing and its collection that the organization sees. */
export type AdminListingRow = PublicListingRow & TermsRow & RowOf<typeof ADMIN_COLUMNS>

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
