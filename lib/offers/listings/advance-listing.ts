import type { Listing, ListingStatus, Prisma } from '../../../generated/prisma/client.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import type { Context } from '../../platform/auth/context.ts'
import { AppError } from '../../core/errors.ts'
import { releaseHolds } from '../../stock/advance-hold.ts'
import { holdUnits } from '../../stock/hold-units.ts'
import { type Custody, getCustody, assertVoucherPossible, assertCustodianConfigured } from '../../stock/custody.ts'
import { recordEvent } from '../../messaging/webhooks/record-event.ts'
import { listingEventOf } from './listing-event.ts'
import { isSelling, remainingOf } from './listing-state.ts'

/** The states of a listing. What completes it is counted with its sales (`completionOf`). */
const NEXT = {
  DRAFT: ['SCHEDULED', 'ACTIVE'],
  SCHEDULED: ['ACTIVE', 'PAUSED', 'CANCELLED', 'EXPIRED'],
  ACTIVE: ['SCHEDULED', 'PAUSED', 'CANCELLED', 'EXPIRED'],
  PAUSED: ['SCHEDULED', 'ACTIVE', 'CANCELLED', 'EXPIRED'],
  EXPIRED: [],
  COMPLETE: [],
  CANCELLED: [],
} as const satisfies Record<ListingStatus, readonly ListingStatus[]>

type Change = Omit<Prisma.ListingUncheckedUpdateManyInput, 'id' | 'organizationId' | 'status'>

/**
 * Moves a locked listing one step, with what changes beside it: the only writer of its status but for COMPLETE. Its unsold units are
 * held when it starts to sell, and released when it stops. Returns the row as it is now.
 */
export async function advanceListing(
  tx: Context,
  listing: Listing,
  to: ListingStatus,
  change: Change = {},
): Promise<Listing> {
  if (!(NEXT[listing.status] as readonly ListingStatus[]).includes(to))
    throw new AppError('conflict', `A listing that is ${listing.status} can't become ${to}.`)
  const [after] = await tx.db.listing.updateManyAndReturn({
    where: { id: listing.id, status: listing.status },
    data: { pausedForPayout: false, ...change, status: to },
  })
  if (!after) throw new AppError('conflict', 'The listing changed meanwhile.')
  if (isSelling(to) && !isSelling(listing.status)) await holdUnsold(tx, after)
  if (!isSelling(to) && isSelling(listing.status)) await releaseHolds(tx, { type: 'LISTING', id: after.id })
  await recordAudit(tx, {
    action: 'listing.advanced',
    subject: { type: 'listing', id: listing.id },
    before: { status: listing.status },
    after: { status: to },
  })
  if (listing.status === 'DRAFT') await recordEvent(tx, 'listing.created', listing.id, listingEventOf(after))
  if (to === 'CANCELLED') await recordEvent(tx, 'listing.cancelled', listing.id, listingEventOf(after))
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
