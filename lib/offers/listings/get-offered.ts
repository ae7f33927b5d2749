import { asDeployed } from '../../platform/auth/authenticate.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { publicCollectionOf } from '../../catalog/collections/show-collection.ts'
import { publicItemOf, withCollection } from '../../catalog/items/show-item.ts'

/** How many items represent the listing of a whole collection. */
const MAX_SHOWN = 4

/**
 * The items and the collection that a listing sells, private ones too, for whoever has the link. Throws `not_found`.
 */
export async function getOffered(ctx: Context, listingId: string) {
  const { db } = asDeployed(ctx)
  const listing = await db.listing.findFirst({ where: { id: listingId }, select: { itemId: true, collectionId: true } })
  const collection = listing && (await db.collection.findFirst({ where: { id: listing.collectionId } }))
  if (!listing || !collection) throw notFound()
  const { itemId, collectionId } = listing
  const rows = await db.item.findMany({
    where: itemId ? { id: itemId } : { collectionId },
    orderBy: { id: 'desc' },
    take: MAX_SHOWN,
    ...withCollection,
  })
  return {
    isItem: itemId !== null,
    collection: publicCollectionOf(ctx, collection),
    items: rows.map((row) => publicItemOf(row, row.collection, ctx.ports.addresses.origin)),
  }
}
