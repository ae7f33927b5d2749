import type { Listing } from '../../../generated/prisma/client.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { createListing as endpoint } from '../../platform/api/listings.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { lockCampaign } from '../../messaging/campaigns/lock-campaign.ts'
import { newColumnsOf } from '../../core/columns-of.ts'
import { newId } from '../../core/id.ts'
import { addAllowances } from './change-allow-list.ts'
import { advanceListing } from './advance-listing.ts'
import { checkListing, type Subject } from './check-listing.ts'
import { listingEventOf } from './listing-event.ts'
import { POLICY, sessionColumnsOf, TERMS, termsOf } from './listing-terms.ts'
import { adminListingOf } from './show-listing.ts'

type Body = Input<typeof endpoint>['body']
/**
 * Offers an item, or any units of an ERC-721 collection. Unless it is a draft, its units are held at once. Throws
 * `sold_out`, and what `checkListing` throws.
 */
export async function createListing(ctx: Context, body: Body): Promise<Output<typeof endpoint>> {
  const { currency, ...what } = await checkListing(ctx, body)
  const { collection } = what
  const networkId = collection.networkId!
  const mode = collection.mode!
  return inTransaction(ctx, async (tx) => {
    await lockCampaign(tx, body.campaign_id)
    const id = newId()
    const draft = await tx.db.listing.create({
      data: {
        id,
        organizationId: tx.organizationId,
        mode,
        networkId,
        status: 'DRAFT',
        ...currency,
        ...offeredColumnsOf(body, what),
        createdAt: tx.now(),
      },
    })
    await addAllowances(tx, id, body.policy?.eth_addresses ?? [], body.policy?.email_addresses ?? [])
    await recordAudit(tx, {
      action: 'listing.created',
      subject: { type: 'listing', id },
      after: { ...listingEventOf(draft), ...termsOf(draft) },
    })
    const row =
      body.status === 'DRAFT'
        ? draft
        : await advanceListing(tx, draft, body.start_time && body.start_time > tx.now() ? 'SCHEDULED' : 'ACTIVE')
    return adminListingOf(tx, { ...row, collection })
  })
}

const offeredColumnsOf = (body: Body, { collection, item }: Subject) =>
  ({
    collectionId: collection.id,
    itemId: item?.id ?? null,
    snapshotId: body.policy?.snapshot_id ?? null,
    quantityListed: body.quantity_listed,
    price: body.price.toString(),
    paymentProviders: body.payment_providers,
    policyType: body.policy?.type ?? 'FCFS',
    assignment: body.policy?.item_assignment_strategy ?? 'AUTOMATIC',
    txPayer: body.policy?.tx_payer ?? 'SELLER',
    ...newColumnsOf(TERMS, body),
    ...newColumnsOf(POLICY, body.policy),
    ...sessionColumnsOf(body.policy?.payment_session_duration),
  }) satisfies Partial<Record<keyof Listing, unknown>>
