import type { Listing, ListingStatus } from '../../../generated/prisma/client.ts'

type Times = Pick<Listing, 'status' | 'startsAt' | 'endsAt'>

/** Statuses in which a listing holds the units it hasn't given to buyers. */
const SELLING: readonly ListingStatus[] = ['SCHEDULED', 'ACTIVE']
export const isSelling = (status: ListingStatus): boolean => SELLING.includes(status)

/** What time has made of a listing, whether or not the worker has written it down yet. */
export function statusOf({ status, startsAt, endsAt }: Times, now: Date): ListingStatus {
  if (!isSelling(status) && status !== 'PAUSED') return status
  if (endsAt && endsAt <= now) return 'EXPIRED'
  if (status === 'PAUSED') return status
  return startsAt && startsAt > now ? 'SCHEDULED' : 'ACTIVE'
}

type Counters = Pick<Listing, 'quantityListed' | 'quantityOpen' | 'quantityConfirmed'>

/** Units that nobody has bought or is about to: open purchases count as taken. */
export const remainingOf = ({ quantityListed, quantityOpen, quantityConfirmed }: Counters): bigint =>
  quantityListed - quantityOpen - quantityConfirmed
