import type { Context } from '../../platform/auth/context.ts'
import { advanceListing } from './advance-listing.ts'
import { lockListing } from './lock-listing.ts'

/** Pauses listings whose units were minted to other addresses. The indexer calls it in its transaction. */
export async function pauseListings(tx: Context, ids: readonly string[]): Promise<void> {
  for (const id of [...ids].sort()) {
    const listing = await lockListing(tx, id)
    if (listing.status === 'ACTIVE' || listing.status === 'SCHEDULED') await advanceListing(tx, listing, 'PAUSED')
  }
}
