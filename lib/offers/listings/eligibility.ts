import type { IdentityKind, Listing } from '../../../generated/prisma/client.ts'
import { remainingOf, statusOf } from './listing-state.ts'

/** One of a buyer's identities (address or email) at a listing. */
export type Standing = {
  kind: IdentityKind
  /** On the allow list or among the snapshot's holders. */
  listed: boolean
  /** Units in confirmed purchases, and in open ones that count for the buyer. */
  claimed: bigint
}

/** Why a buyer can't buy, as sentences for buyers. */
export const REASONS = {
  NOT_STARTED: 'This listing has not started yet.',
  ENDED: 'This listing has ended.',
  PAUSED: 'This listing is paused.',
  CANCELLED: 'This listing was cancelled.',
  SOLD_OUT: 'Everything is sold, or being bought right now.',
  NOT_ON_LIST: 'This listing is for those on its list.',
  LIMIT_REACHED: 'This buyer has reached the limit of this listing.',
  SUSPENDED: 'This isn’t offered at the moment.',
  PAYOUT_ADDRESS_MISSING: 'The seller has no payout address: nothing can be sold for crypto until there is one.',
  PROVIDER_NOT_CONFIGURED: 'Card payments are not set up, or the card account can’t take payments right now.',
} as const
type Reason = keyof typeof REASONS
/** Why a listing can't be paid now, as `payment_obstacle` in the database says. */
type Obstacle = 'PAYOUT_ADDRESS_MISSING' | 'PROVIDER_NOT_CONFIGURED'

export type Eligibility = { eligible: boolean; allowed: bigint; claimed: bigint; reason: Reason | null }

/** What of a listing decides whether anybody can buy. */
export type Sale = Pick<
  Listing,
  'status' | 'startsAt' | 'endsAt' | 'quantityListed' | 'quantityOpen' | 'quantityConfirmed'
> & { suspended: boolean; obstacle: Obstacle | null }
export type EligibilityTerms = Sale & Pick<Listing, 'policyType' | 'maxPerUser'>

/** Whether a buyer may buy now, and how much in all. Without identities, only the listing's own state counts. */
export function eligibilityOf(listing: EligibilityTerms, buyer: readonly Standing[], now: Date): Eligibility {
  const claimed = buyer.reduce((most, standing) => (standing.claimed > most ? standing.claimed : most), 0n)
  const welcome = buyer.length === 0 || listing.policyType === 'FCFS' || buyer.some(({ listed }) => listed)
  const allowed = welcome ? (listing.maxPerUser ?? listing.quantityListed) : 0n
  const reason = reasonOf(listing, { welcome, allowed, claimed }, now)
  return { eligible: reason === null, allowed, claimed, reason }
}

function reasonOf(
  listing: EligibilityTerms,
  { welcome, allowed, claimed }: { welcome: boolean; allowed: bigint; claimed: bigint },
  now: Date,
): Reason | null {
  const closed = closedReasonOf(listing, now)
  if (closed) return closed
  if (!welcome) return 'NOT_ON_LIST'
  return claimed >= allowed ? 'LIMIT_REACHED' : null
}

/** Why nobody can buy now; null when a purchase is only a matter of the buyer. Purchases are refused by it too (`assertSelling`). */
export function closedReasonOf(listing: Sale, now: Date): ClosedReason | null {
  if (listing.suspended) return 'SUSPENDED'
  const closed = CLOSED[statusOf(listing, now)]
  if (closed && closed !== 'PAUSED') return closed
  if (listing.obstacle) return listing.obstacle
  return closed ?? (remainingOf(listing) <= 0n ? 'SOLD_OUT' : null)
}
export type ClosedReason = Exclude<Reason, 'NOT_ON_LIST' | 'LIMIT_REACHED'>

/** Why a listing in this status doesn't sell; null when it does. */
const CLOSED = {
  DRAFT: 'NOT_STARTED',
  SCHEDULED: 'NOT_STARTED',
  ACTIVE: null,
  PAUSED: 'PAUSED',
  COMPLETE: 'SOLD_OUT',
  CANCELLED: 'CANCELLED',
  EXPIRED: 'ENDED',
} as const satisfies Record<Listing['status'], ClosedReason | null>
