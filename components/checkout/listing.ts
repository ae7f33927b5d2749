import type { Answer } from '@/lib/platform/api/endpoint'
import type { waitForListing } from '@/lib/platform/api/changes'
import type * as endpoints from '@/lib/platform/api/listings'
import { api, route } from '@/components/shared/api'
import type { AskVersion } from '@/components/shared/use-changes'

/** A listing as the public API returns it. */
export type ListingView = Answer<typeof endpoints.getPublicListing>
export type Provider = ListingView['payment_providers'][number]
export type Eligibility = Answer<typeof endpoints.getEligibility>

export type Buyer = { email: string | null; eth_address: string | null }

const listingRoute = route<typeof endpoints.getPublicListing>('GET', '/public/v1/listings/{listing_id}')
const changesRoute = route<typeof waitForListing>('GET', '/public/v1/listings/{listing_id}/changes')
const eligibilityRoute = route<typeof endpoints.getEligibility>('GET', '/public/v1/listings/redemption-eligibility')

export const getListing = (id: string, signal?: AbortSignal) =>
  api(listingRoute, { params: { listing_id: id } }, { signal })

export const askListingVersion =
  (id: string): AskVersion =>
  (query, signal) =>
    api(changesRoute, { params: { listing_id: id }, query }, { signal })

export const getEligibility = (listingId: string, { email, eth_address }: Buyer) =>
  api(eligibilityRoute, { query: { listing_id: listingId, eth_address, email_address: email } })

/** Whether a listing sells right now, decided from the listing alone. */
export type Offer = 'open' | 'not_started' | 'sold_out' | 'paused' | 'ended' | 'cancelled' | 'suspended'

export function offerOf(listing: ListingView, now: number): Offer {
  if (listing.suspended) return 'suspended'
  if (listing.status === 'CANCELLED') return 'cancelled'
  if (listing.status === 'COMPLETE') return 'sold_out'
  if (listing.status === 'EXPIRED' || (listing.end_time && Date.parse(listing.end_time) <= now)) return 'ended'
  if (listing.status === 'PAUSED' || OBSTACLES.includes(listing.reason)) return 'paused'
  if (listing.start_time && Date.parse(listing.start_time) > now) return 'not_started'
  if (listing.sold_out || listing.reason === 'SOLD_OUT' || Number(listing.quantity_remaining) < 1) return 'sold_out'
  return 'open'
}

/** Why a listing that is on sale can’t be paid or delivered. */
const OBSTACLES: readonly ListingView['reason'][] = [
  'PAYOUT_ADDRESS_MISSING',
  'PROVIDER_NOT_CONFIGURED',
  'RECOVERING',
  'OPERATOR_MISSING',
  'MINTED_ALREADY',
  'VOUCHER_KEY_MISSING',
  'GAS_BUDGET_SPENT',
  'MAIL_QUOTA_SPENT',
]

/** How a buyer can get it. Two providers mint free of charge to an address; a buyer sees them as one way. */
export type Way = 'card' | 'wallet' | 'email' | 'address'

const wayOf = {
  CARD_PROVIDER: 'card',
  MINT_VOUCHER: 'wallet',
  EMAIL_CLAIM: 'email',
  ORGANIZATION: 'address',
  BETA_FREE_MINT: 'address',
} satisfies Record<Provider, Way>

/** The ways a listing offers, each with its payment provider. */
export function waysOf(listing: Pick<ListingView, 'payment_providers'>): Map<Way, Provider> {
  const ways = new Map<Way, Provider>()
  for (const provider of listing.payment_providers) {
    const way = wayOf[provider]
    if (!ways.has(way)) ways.set(way, provider)
  }
  return ways
}
