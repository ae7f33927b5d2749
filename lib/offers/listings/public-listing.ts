import type { Output } from '../../platform/api/endpoint.ts'
import type { getPublicListing as endpoint } from '../../platform/api/listings.ts'
import { type HotRead, oneRow } from '../../platform/http/hot/hot-read.ts'
import { listingOf, type PublicListingRow } from './show-listing.ts'

/** The columns of `listings l` and `collections c` that the public view of a listing shows. */
export const PUBLIC_LISTING_COLUMNS = `l.id, l.organization_id AS "organizationId", l.campaign_id AS "campaignId",
  l.collection_id AS "collectionId", l.item_id AS "itemId", l.network_id AS "networkId", l.currency,
  l.currency_address AS "currencyAddress", l.currency_decimals AS "currencyDecimals",
  l.payment_providers::text[] AS "paymentProviders", l.policy_type AS "policyType", l.status, l.starts_at AS "startsAt",
  l.ends_at AS "endsAt", l.max_per_user AS "maxPerUser", l.max_quantity_per_tx AS "maxQuantityPerTx",
  l.quantity_listed AS "quantityListed", l.quantity_open AS "quantityOpen", l.quantity_confirmed AS "quantityConfirmed",
  l.tx_payer AS "txPayer", l.proof_of_work AS "proofOfWork", l.price::text AS price, c.contract_address AS "contractAddress"`

/** A listing and its collection in one row: a price with all its digits. */
export type FlatPublicListing = Omit<PublicListingRow, 'collection' | 'price'> &
  PublicListingRow['collection'] & { price: string }

export const listingRowOf = (row: FlatPublicListing): PublicListingRow => ({
  ...row,
  price: { toFixed: () => row.price },
  collection: row,
})

/** When a listing's status changes by the clock. */
const momentsOfListings = (rows: readonly FlatPublicListing[]): (Date | null)[] =>
  rows.flatMap(({ startsAt, endsAt }) => [startsAt, endsAt])

/** Listings but drafts, of deployed collections. */
export const publicListing: HotRead<
  { params: { listing_id: string } },
  FlatPublicListing & { suspended: boolean },
  Output<typeof endpoint>
> = {
  ...oneRow('public_listing', {
    key: { id: 'uuid' },
    from: `FROM listings l JOIN collections c ON c.id = l.collection_id
      WHERE l.id = asked.id AND l.status <> 'DRAFT' AND c.deployment_status = 'SUCCESS'`,
    version: 'l.xmin, c.xmin, is_suspended(l.organization_id, l.collection_id)',
    columns: `${PUBLIC_LISTING_COLUMNS}, is_suspended(l.organization_id, l.collection_id) AS suspended`,
  }),
  keyOf: ({ params }) => [params.listing_id],
  show: ([row], _, { now }) => ({ ...listingOf(listingRowOf(row!), now()), suspended: row!.suspended }),
  momentsOf: momentsOfListings,
}
