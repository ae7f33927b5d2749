import type { Collection, Item } from '../../../generated/prisma/client.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { createListing as endpoint } from '../../platform/api/listings.ts'
import type { Context } from '../../platform/auth/context.ts'
import { assertAll } from '../../core/assert-all.ts'
import { fieldError, unknownId } from '../../core/errors.ts'
import { assertDeployed, assertLocked } from '../../catalog/items/assert-ready.ts'
import { assertSuitsVouchers } from './advance-listing.ts'
import { type Currency, currencyOf } from './currency.ts'
import { assertProvidersConfigured } from './providers.ts'

type Body = Input<typeof endpoint>['body']
export type Subject = { collection: Collection; item: Item | null }

/**
 * The collection and item that a new listing offers, and its currency. Names all that is wrong with the listing at
 * once. Throws `item_not_locked`, `collection_not_deployed`, `supply_invalid`, `snapshot_not_ready`, and what
 * `currencyOf` and `assertProvidersConfigured` throw.
 */
export async function checkListing(ctx: Context, body: Body): Promise<Subject & { currency: Currency }> {
  const what = await findSubject(ctx, body)
  const { collection, item } = what
  assertListable(what, body)
  const networkId = collection.networkId!
  const mode = collection.mode!
  const txPayer = body.policy?.tx_payer ?? 'SELLER'
  await assertAll([
    () => assertEnds(ctx, body),
    () => body.policy?.snapshot_id && assertSnapshotReady(ctx, body.policy.snapshot_id),
    () => currencyOf(ctx, networkId, body),
    () =>
      assertProvidersConfigured(ctx, collection, {
        mode,
        providers: body.payment_providers,
        maxQuantityPerTx: body.max_quantity_per_tx ?? 1n,
        txPayer,
      }),
    () => item && assertSuitsVouchers(item, { paymentProviders: body.payment_providers, txPayer }),
  ])
  return { ...what, currency: currencyOf(ctx, networkId, body) }
}

function assertEnds(ctx: Context, { end_time }: Body): void {
  if (end_time && end_time <= ctx.now()) throw fieldError('invalid_request', 'end_time', 'This time has passed.')
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
