import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { advanceListing } from './advance-listing.ts'
import { listingEventOf } from './listing-event.ts'
import { lockListing } from './lock-listing.ts'
import { assertUpdatable } from './update-listing.ts'

/**
 * Cancels a listing: unsold units are released, open purchases continue until they end. A draft is deleted. Throws
 * `listing_over`.
 */
export function cancelListing(ctx: Context, id: string): Promise<undefined> {
  return inTransaction(ctx, async (tx) => {
    const listing = await lockListing(tx, id)
    assertUpdatable(listing, tx.now())
    if (listing.status !== 'DRAFT') {
      await advanceListing(tx, listing, 'CANCELLED')
      return undefined
    }
    await tx.db.listing.deleteMany({ where: { id } })
    await recordAudit(tx, {
      action: 'listing.deleted',
      subject: { type: 'listing', id },
      before: listingEventOf(listing),
    })
    return undefined
  })
}
