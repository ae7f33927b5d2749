import type { Context } from '../platform/auth/context.ts'
import { notFound } from '../core/errors.ts'
import { activeListingOf } from '../offers/listings/active-listing.ts'
import { claimItemOf, publicItemOf, withCollection } from '../catalog/items/show-item.ts'

/** The claim view and the public view of an item; of private collections too. */
export async function getClaimItems(ctx: Context, itemId: string) {
  const row = await ctx.db.item.findFirst({ where: { id: itemId }, ...withCollection })
  if (!row) throw notFound()
  const { deploymentTransactionId } = row.collection
  const deployed =
    deploymentTransactionId &&
    (await ctx.db.transaction.findFirst({ where: { id: deploymentTransactionId }, select: { txHash: true } }))
  const { origin } = ctx.ports.addresses
  return {
    item: claimItemOf(row, origin, (deployed && deployed.txHash) || null, await activeListingOf(ctx, row.id)),
    public_item: publicItemOf(row, row.collection, origin),
    row,
  }
}
