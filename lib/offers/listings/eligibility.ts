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
} as const
type Reason = keyof typeof REASONS

export type Eligibility = { eligible: boolean; allowed: bigint; claimed: bigint; reason: Reason | null }

type Offer = Pick<
  Listing,
  | 'status'
  | 'startsAt'
  | 'endsAt'
  | 'policyType'
  | 'maxPerUser'
  | 'quantityListed'
  | 'quantityOpen'
  | 'quantityConfirmed'
>

/** Whether a buyer may buy now, and how much in all. Without identities, only the listing's own state counts. */
export function eligibilityOf(listing: Offer, buyer: readonly Standing[], now: Date): Eligibility {
  const claimed = buyer.reduce((most, standing) => (standing.claimed > most ? standing.claimed : most), 0n)
  const welcome = buyer.length === 0 || listing.policyType === 'FCFS' || buyer.some(({ listed }) => listed)
  const allowed = welcome ? (listing.maxPerUser ?? listing.quantityListed) : 0n
  const reason = reasonOf(listing, { welcome, allowed, claimed }, now)
  return { eligible: reason === null, allowed, claimed, reason }
}

function reasonOf(
  listing: Offer,
  { welcome, allowed, claimed }: { welcome: boolean; allowed: bigint; claimed: bigint },
  now: Date,
): Reason | null {
  const closed = CLOSED[statusOf(listing, now)]
  if (closed) return closed
  if (!welcome) return 'NOT_ON_LIST'
  if (remainingOf(listing) <= 0n) return 'SOLD_OUT'
  return claimed >= allowed ? 'LIMIT_REACHED' : null
}

/** Why a listing in this status doesn't sell; null when it does. */
const CLOSED = {
  DRAFT: 'NOT_STARTED',
  SCHEDULED: 'NOT_STARTED',
  ACTIVE: null,
  PAUSED: 'PAUSED',
  COMPLETE: 'SOLD_OUT',
  CANCELLED: 'CANCELLED',
  EXPIRED: 'ENDED',
} as const satisfies Record<Listing['status'], Reason | null>
