import type { Context } from '../../platform/auth/context.ts'
import { advanceListing } from './advance-listing.ts'
import { lockListing } from './lock-listing.ts'

/** Pauses those of the listings that sell. `forPayout`: since there is no payout address. */
export async function pauseListings(tx: Context, ids: readonly string[], { forPayout = false } = {}): Promise<void> {
  for (const id of [...ids].sort()) {
    const listing = await lockListing(tx, id)
    if (listing.status === 'ACTIVE' || listing.status === 'SCHEDULED')
      await advanceListing(tx, listing, 'PAUSED', { pausedForPayout: forPayout })
  }
}
