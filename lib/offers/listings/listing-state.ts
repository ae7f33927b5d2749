import type { Listing, ListingStatus } from '../../../generated/prisma/client.ts'

type Times = Pick<Listing, 'status' | 'startsAt' | 'endsAt'>

/** Statuses in which a listing holds its unsold units. */
const SELLING: readonly ListingStatus[] = ['SCHEDULED', 'ACTIVE']
export const isSelling = (status: ListingStatus): boolean => SELLING.includes(status)

/** A listing's status at `now`, even when the worker has not stored the change yet. */
export function statusOf({ status, startsAt, endsAt }: Times, now: Date): ListingStatus {
  if (!isSelling(status) && status !== 'PAUSED') return status
  if (endsAt && endsAt <= now) return 'EXPIRED'
  if (status === 'PAUSED') return status
  return startsAt && startsAt > now ? 'SCHEDULED' : 'ACTIVE'
}

type Counters = Pick<Listing, 'quantityListed' | 'quantityOpen' | 'quantityConfirmed'>

/** Units left to sell: open purchases count as sold. */
export const remainingOf = ({ quantityListed, quantityOpen, quantityConfirmed }: Counters): bigint =>
  quantityListed - quantityOpen - quantityConfirmed
