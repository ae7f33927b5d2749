import type { IdentityKind, Listing } from '../../../generated/prisma/client.ts'
import { remainingOf, statusOf } from './listing-state.ts'
import type { Obstacle } from './obstacles.ts'
import type { REASONS } from './reasons.ts'

/** One of a buyer's identities (address or email) at a listing. */
export type Standing = {
  kind: IdentityKind
  /** On the allow list or among the snapshot's holders. */
  listed: boolean
  /** Units in confirmed purchases, and in open ones that count for the buyer. */
  claimed: bigint
}

type Reason = keyof typeof REASONS

export type Eligibility = { eligible: boolean; allowed: bigint; claimed: bigint; reason: Reason | null }

/** The facts of a listing that decide whether anybody can buy. */
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

/**
 * Why nobody can buy now; null when a purchase is only a matter of the buyer. Purchases are refused by it too
 * (`assertSelling`).
 */
export function closedReasonOf(listing: Sale, now: Date): ClosedReason | null {
  if (listing.suspended) return 'SUSPENDED'
  const closed = CLOSED[statusOf(listing, now)]
  if (closed && closed !== 'PAUSED') return closed
  const { obstacle } = listing
  // A listing that was paused since it can't be paid says that it can't.
  if (obstacle === 'PAYOUT_ADDRESS_MISSING' || obstacle === 'PROVIDER_NOT_CONFIGURED') return obstacle
  return closed ?? (remainingOf(listing) <= 0n ? 'SOLD_OUT' : obstacle)
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
