import type { Listing, ListingStatus, Prisma } from '../../../generated/prisma/client.ts'
import { advanceRows, stateTable } from '../../records/audit/advance-rows.ts'
import type { Context } from '../../platform/auth/context.ts'
import { releaseHolds } from '../../stock/advance-hold.ts'
import { holdUnits } from '../../stock/hold-units.ts'
import { type Custody, getCustody, assertVoucherPossible, assertCustodianConfigured } from '../../stock/custody.ts'
import { recordEvent } from '../../messaging/webhooks/record-event.ts'
import { listingEventOf } from './listing-event.ts'
import { isSelling, remainingOf } from './listing-state.ts'

/** The states of a listing. What completes it is counted with its sales (`completionOf`). */
const LISTING = {
  ...stateTable<ListingStatus>('listing', 'listing.advanced', {
    DRAFT: ['SCHEDULED', 'ACTIVE'],
    SCHEDULED: ['ACTIVE', 'PAUSED', 'CANCELLED', 'EXPIRED'],
    ACTIVE: ['SCHEDULED', 'PAUSED', 'CANCELLED', 'EXPIRED'],
    PAUSED: ['SCHEDULED', 'ACTIVE', 'CANCELLED', 'EXPIRED'],
    EXPIRED: [],
    COMPLETE: [],
    CANCELLED: [],
  }),
  column: 'status',
}

type Change = Omit<Prisma.ListingUncheckedUpdateManyInput, 'id' | 'organizationId' | 'status'>

/**
 * Moves a locked listing one step, with what changes beside it: the only writer of its status but for COMPLETE. Its
 * unsold units are held when it starts to sell, and released when it stops. Returns the row as it is now.
 */
export async function advanceListing(
  tx: Context,
  listing: Listing,
  to: ListingStatus,
  change: Change = {},
): Promise<Listing> {
  const { id, status } = listing
  const moved = await advanceRows(tx, LISTING, [{ id, state: status }], to, () =>
    tx.db.listing.updateManyAndReturn({
      where: { id, status },
      data: { pausedForPayout: false, ...change, status: to },
    }),
  )
  const after = moved[0]!
  if (isSelling(to) && !isSelling(status)) await holdUnsold(tx, after)
  if (!isSelling(to) && isSelling(status)) await releaseHolds(tx, { type: 'LISTING', id })
  if (status === 'DRAFT') await recordEvent(tx, 'listing.created', id, listingEventOf(after))
  if (to === 'CANCELLED') await recordEvent(tx, 'listing.cancelled', id, listingEventOf(after))
  return after
}

/**
 * Holds what a listing can still sell: of its item, or of its collection's pool. A token in custody must be one that
 * can be handed over as it is offered.
 */
async function holdUnsold(tx: Context, listing: Listing): Promise<void> {
  const { id, collectionId, itemId } = listing
  const units = { collectionId, itemId, quantity: remainingOf(listing) }
  await holdUnits(
    tx,
    { type: 'LISTING', id },
    units,
    'Not enough units are free to be listed: others hold them, or they are minted.',
  )
  if (itemId === null) return
  const item = await getCustody(tx, itemId)
  assertCustodianConfigured(tx, item)
  assertSuitsVouchers(item, listing)
}

/** Throws where a minted item would be sold by a voucher. */
export function assertSuitsVouchers(
  item: Custody,
  { paymentProviders, txPayer }: Pick<Listing, 'paymentProviders' | 'txPayer'>,
): void {
  if (paymentProviders.includes('MINT_VOUCHER')) assertVoucherPossible(item, 'payment_providers')
  if (txPayer === 'BUYER') assertVoucherPossible(item, 'policy.tx_payer')
}
