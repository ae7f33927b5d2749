import { collectionPicture } from '@/components/dashboard/lists/row-picture'
import { type PictureItem, titleOf } from '@/components/ui/item-title'
import type { Context } from '@/lib/platform/auth/context'
import { type AdminCollection, findCollections } from '@/lib/catalog/collections/find-collections'
import { type AdminItem, findItems } from '@/lib/catalog/items/find-items'

type Listed = { id: string; item_id: string | null; collection_id: string | null }
export type ListingSubject = {
  title: string
  picture: PictureItem
  collectionName: string
  whole: boolean
  href: string
}

/**
 * The subject of each listing, by the listing's id: one item, or any of a collection. Reads items and collections once
 * for all.
 */
export async function subjectsOf(ctx: Context, listings: readonly Listed[]): Promise<Map<string, ListingSubject>> {
  const [items, collections] = await Promise.all([
    findItems(
      ctx,
      listings.flatMap(({ item_id }) => item_id ?? []),
    ),
    findCollections(
      ctx,
      listings.flatMap(({ collection_id }) => collection_id ?? []),
    ),
  ])
  return new Map(
    listings.map(({ id, item_id, collection_id }) => [
      id,
      subjectFrom(item_id ? items.get(item_id) : undefined, collections.get(collection_id!)!),
    ]),
  )
}

export const subjectOf = async (ctx: Context, listing: Listed): Promise<ListingSubject> =>
  (await subjectsOf(ctx, [listing])).get(listing.id)!

function subjectFrom(item: AdminItem | undefined, collection: AdminCollection): ListingSubject {
  if (!item)
    return {
      title: collection.name,
      picture: collectionPicture(collection),
      collectionName: collection.name,
      whole: true,
      href: `/dashboard/collections/${collection.id}`,
    }
  return {
    title: titleOf(item),
    picture: item,
    collectionName: collection.name,
    whole: false,
    href: `/dashboard/items/${item.id}`,
  }
}
