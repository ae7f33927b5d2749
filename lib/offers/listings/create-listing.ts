import type { Collection, Item, Listing } from '../../../generated/prisma/client.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { createListing as endpoint } from '../../platform/api/listings.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { lockCampaign } from '../../messaging/campaigns/lock-campaign.ts'
import { fieldError, unknownId } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import { addAllowances } from './change-allow-list.ts'
import { advanceListing, assertSuitsVouchers } from './advance-listing.ts'
import { currencyOf } from './currency.ts'
import { listingEventOf } from './listing-event.ts'
import { assertProvidersConfigured } from './providers.ts'
import { adminListingOf } from './show-listing.ts'
import { assertDeployed, assertLocked } from '../../catalog/items/assert-ready.ts'

type Body = Input<typeof endpoint>['body']
type Subject = { collection: Collection; item: Item | null }

/**
 * Offers an item, or any units of an ERC-721 collection. Unless it is a draft, its units are held at once. Throws `item_not_locked`,
 * `collection_not_deployed`, `supply_invalid`, `snapshot_not_ready`, `sold_out`, and what `currencyOf` and
 * `assertProvidersConfigured` throw.
 */
export async function createListing(ctx: Context, body: Body): Promise<Output<typeof endpoint>> {
  const what = await findSubject(ctx, body)
  const { collection } = what
  assertListable(what, body)
  if (body.end_time && body.end_time <= ctx.now())
    throw fieldError('invalid_request', 'end_time', 'This time has passed.')
  if (body.policy?.snapshot_id) await assertSnapshotReady(ctx, body.policy.snapshot_id)
  const networkId = collection.networkId!
  const mode = collection.mode!
  const currency = currencyOf(ctx, networkId, body)
  await assertProvidersConfigured(ctx, collection, {
    mode,
    providers: body.payment_providers,
    maxQuantityPerTx: body.max_quantity_per_tx ?? 1n,
    txPayer: body.policy?.tx_payer ?? 'SELLER',
  })

  if (what.item)
    assertSuitsVouchers(what.item, {
      paymentProviders: body.payment_providers,
      txPayer: body.policy?.tx_payer ?? 'SELLER',
    })

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
        ...columnsOf(body, what),
        createdAt: tx.now(),
      },
    })
    await addAllowances(tx, id, body.policy?.eth_addresses ?? [], body.policy?.email_addresses ?? [])
    await recordAudit(tx, { action: 'listing.created', subject: { type: 'listing', id }, after: listingEventOf(draft) })
    const row =
      body.status === 'DRAFT'
        ? draft
        : await advanceListing(tx, draft, body.start_time && body.start_time > tx.now() ? 'SCHEDULED' : 'ACTIVE')
    return adminListingOf(tx, { ...row, collection })
  })
}

async function findSubject(ctx: Context, { item_id, collection_id }: Body): Promise<Subject> {
  if (item_id) {
    const row = await ctx.db.item.findFirst({ where: { id: item_id }, include: { collection: true } })
    if (!row) throw unknownId('item_id', 'item')
    const { collection, ...item } = row
    return { collection, item }
  }
  const collection = await ctx.db.collection.findFirst({ where: { id: collection_id! } })
  if (!collection) throw unknownId('collection_id', 'collection')
  return { collection, item: null }
}

function assertListable({ collection, item }: Subject, { quantity_listed }: Body): void {
  if (item) assertLocked(item, 'listed')
  assertDeployed(collection, 'listed')
  if (!item && collection.tokenType !== 'ERC721')
    throw fieldError(
      'supply_invalid',
      'collection_id',
      'Only ERC-721 collections are listed as a whole. Of an ERC-1155 collection, list single items.',
    )
  if (item && collection.tokenType === 'ERC721' && quantity_listed > 1n)
    throw fieldError('supply_invalid', 'quantity_listed', 'There is one unit of each item of an ERC-721 collection.')
}

/** Throws `snapshot_not_ready` before a snapshot is taken: eligibility needs its holders. */
async function assertSnapshotReady(ctx: Context, id: string): Promise<void> {
  const snapshot = await ctx.db.snapshot.findFirst({ where: { id } })
  if (!snapshot) throw unknownId('policy.snapshot_id', 'snapshot')
  if (!snapshot.readyAt)
    throw fieldError('snapshot_not_ready', 'policy.snapshot_id', 'This snapshot has not been taken yet.')
}

const columnsOf = (body: Body, { collection, item }: Subject) =>
  ({
    collectionId: collection.id,
    itemId: item?.id ?? null,
    campaignId: body.campaign_id ?? null,
    snapshotId: body.policy?.snapshot_id ?? null,
    quantityListed: body.quantity_listed,
    price: body.price.toString(),
    paymentProviders: body.payment_providers,
    maxQuantityPerTx: body.max_quantity_per_tx ?? 1n,
    policyType: body.policy?.type ?? 'FCFS',
    maxPerUser: body.policy?.max_per_user ?? null,
    sessionSeconds: body.policy?.payment_session_duration?.timeout_seconds ?? null,
    ...(body.policy?.payment_session_duration?.provider_override && {
      sessionOverride: body.policy.payment_session_duration.provider_override,
    }),
    claimSeconds: body.policy?.email_claim_duration ?? null,
    assignment: body.policy?.item_assignment_strategy ?? 'AUTOMATIC',
    txPayer: body.policy?.tx_payer ?? 'SELLER',
    proofOfWork: body.proof_of_work ?? false,
    startsAt: body.start_time ?? null,
    endsAt: body.end_time ?? null,
  }) satisfies Partial<Record<keyof Listing, unknown>>
