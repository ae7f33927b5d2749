import type { Listing, ListingStatus } from '../../../generated/prisma/client.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { updateListing as endpoint } from '../../platform/api/listings.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { lockCampaign } from '../../messaging/campaigns/lock-campaign.ts'
import { columnsOf } from '../../core/columns-of.ts'
import { AppError, fieldError } from '../../core/errors.ts'
import { advanceListing } from './advance-listing.ts'
import { statusOf } from './listing-state.ts'
import { POLICY, sessionColumnsOf, TERMS, termsOf } from './listing-terms.ts'
import { lockListing } from './lock-listing.ts'
import { assertProvidersConfigured } from './providers.ts'
import { adminListingOf } from './show-listing.ts'

type Body = Input<typeof endpoint>['body']

/**
 * Changes policy limits, times and campaign; activates or pauses a listing. Throws `listing_over`, `invalid_request`,
 * `sold_out` and what `assertProvidersConfigured` throws.
 */
export function updateListing(ctx: Context, id: string, body: Body): Promise<Output<typeof endpoint>> {
  return inTransaction(ctx, async (tx) => {
    const listing = await lockListing(tx, id)
    assertUpdatable(listing, tx.now())
    const collection = await tx.db.collection.findFirstOrThrow({ where: { id: listing.collectionId } })
    await lockCampaign(tx, body.campaign_id)
    const planned = { ...listing, ...timesOf(listing, body) }
    assertTimesValid(planned, body, tx.now())
    const [changed] = await tx.db.listing.updateManyAndReturn({ where: { id }, data: changesOf(body) })
    const to = nextStatus(changed!, body, tx.now())
    if (to === 'ACTIVE' || to === 'SCHEDULED' || body.max_quantity_per_tx !== undefined)
      await assertProvidersConfigured(tx, collection, {
        mode: changed!.mode,
        providers: changed!.paymentProviders,
        maxQuantityPerTx: changed!.maxQuantityPerTx,
        txPayer: changed!.txPayer,
      })
    const row = to === changed!.status ? changed! : await advanceListing(tx, changed!, to)
    await recordAudit(tx, {
      action: 'listing.updated',
      subject: { type: 'listing', id },
      before: { status: listing.status, ...termsOf(listing) },
      after: { status: row.status, ...termsOf(row) },
    })
    return adminListingOf(tx, { ...row, collection })
  })
}

/** Throws `listing_over` when a listing is complete, cancelled or past its end. */
export function assertUpdatable(listing: Listing, now: Date): void {
  const status = statusOf(listing, now)
  if (status === 'COMPLETE' || status === 'CANCELLED' || status === 'EXPIRED')
    throw new AppError('listing_over', `This listing is ${status}: it can’t be changed any more. Make a new one.`)
}

const timesOf = ({ startsAt, endsAt }: Listing, { start_time, end_time }: Body) => ({
  startsAt: start_time === undefined ? startsAt : start_time,
  endsAt: end_time === undefined ? endsAt : end_time,
})

function assertTimesValid(
  { startsAt, endsAt }: Pick<Listing, 'startsAt' | 'endsAt'>,
  { end_time }: Body,
  now: Date,
): void {
  if (startsAt && endsAt && startsAt >= endsAt)
    throw fieldError('invalid_request', 'end_time', 'The end must be after the start.')
  if (end_time && end_time <= now) throw fieldError('invalid_request', 'end_time', 'This time has passed.')
}

/** The status after the change, given the listing's times. A draft stays a draft until it is activated. */
function nextStatus(listing: Listing, { status }: Body, now: Date): ListingStatus {
  const wanted = status ?? (listing.status === 'DRAFT' || listing.status === 'PAUSED' ? listing.status : 'ACTIVE')
  if (wanted === 'DRAFT') return wanted
  if (wanted === 'PAUSED' && listing.status === 'DRAFT')
    throw fieldError('invalid_request', 'status', 'A draft isn’t on sale yet: it can’t be paused.')
  return wanted === 'PAUSED' ? wanted : statusOf({ ...listing, status: 'ACTIVE' }, now)
}

/** Fields left out stay; null clears. */
const changesOf = (body: Body) => ({
  ...columnsOf(TERMS, body),
  ...columnsOf(POLICY, body.policy),
  ...sessionColumnsOf(body.policy?.payment_session_duration),
})
