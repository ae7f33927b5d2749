import type { Context } from '../../platform/auth/context.ts'
import { pauseListings } from './pause-listings.ts'

/**
 * Pauses what is sold by mint voucher, in the transaction that removes the payout address: nobody could buy it any
 * more.
 */
export async function onPayoutRemoved(tx: Context): Promise<void> {
  const selling = await tx.db.listing.findMany({
    where: { status: { in: ['SCHEDULED', 'ACTIVE'] }, paymentProviders: { has: 'MINT_VOUCHER' } },
    select: { id: true },
  })
  await pauseListings(
    tx,
    selling.map(({ id }) => id),
    { forPayout: true },
  )
}
