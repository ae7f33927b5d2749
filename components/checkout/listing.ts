import type { Answer } from '@/lib/platform/api/endpoint'
import type * as api from '@/lib/platform/api/listings'
import { request } from '@/components/shared/request'

/** A listing as P12 shows it. */
export type ListingView = Answer<typeof api.getPublicListing>
export type Provider = ListingView['payment_providers'][number]
/** Whether somebody may buy, as P11 answers. */
export type Eligibility = Answer<typeof api.getEligibility>

export type Buyer = { email: string | null; eth_address: string | null }

export const getListing = (id: string, signal?: AbortSignal) =>
  request<ListingView>('GET', `/listings/${id}`, signal ? { signal } : {})

export function getEligibility(listingId: string, buyer: Buyer, signal?: AbortSignal): Promise<Eligibility> {
  const query = new URLSearchParams({ listing_id: listingId })
  if (buyer.eth_address) query.set('eth_address', buyer.eth_address)
  if (buyer.email) query.set('email_address', buyer.email)
  return request<Eligibility>('GET', `/listings/redemption-eligibility?${query}`, signal ? { signal } : {})
}

/** What the page shows of an offer, decided from the listing alone. */
export type Offer = 'open' | 'not_started' | 'sold_out' | 'paused' | 'ended' | 'cancelled'

export function offerOf(listing: ListingView, now: number): Offer {
  if (listing.status === 'CANCELLED') return 'cancelled'
  if (listing.status === 'COMPLETE') return 'sold_out'
  if (listing.status === 'EXPIRED' || (listing.end_time && Date.parse(listing.end_time) <= now)) return 'ended'
  if (listing.status === 'PAUSED') return 'paused'
  if (listing.start_time && Date.parse(listing.start_time) > now) return 'not_started'
  if (listing.sold_out || Number(listing.quantity_remaining) < 1) return 'sold_out'
  return 'open'
}

/** How a buyer can get it. Two providers mint to an address free of charge; to a buyer they are one way. */
export type Way = 'card' | 'wallet' | 'email' | 'address'

export const wayOf = {
  CARD_PROVIDER: 'card',
  MINT_VOUCHER: 'wallet',
  EMAIL_CLAIM: 'email',
  ORGANIZATION: 'address',
  BETA_FREE_MINT: 'address',
} satisfies Record<Provider, Way>

/** The ways a listing offers, each with the provider that it goes by. */
export function waysOf(listing: Pick<ListingView, 'payment_providers'>): Map<Way, Provider> {
  const ways = new Map<Way, Provider>()
  for (const provider of listing.payment_providers) {
    const way = wayOf[provider]
    if (!ways.has(way)) ways.set(way, provider)
  }
  return ways
}
