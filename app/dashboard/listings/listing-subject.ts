import { titleOf } from '@/components/ui/picture'
import type { PictureItem } from '@/components/ui/picture'
import type { Context } from '@/lib/platform/auth/context'
import { getCollection } from '@/lib/catalog/collections/get-collection'
import { getItem } from '@/lib/catalog/items/get-item'

type Listed = { id: string; item_id: string | null; collection_id: string | null }
export type ListingSubject = {
  title: string
  picture: PictureItem
  collectionName: string
  whole: boolean
  href: string
}

/** What a listing offers: one item, or any of a collection. */
export async function subjectOf(ctx: Context, { item_id, collection_id }: Listed): Promise<ListingSubject> {
  const [item, collection] = await Promise.all([
    item_id ? getItem(ctx, item_id) : null,
    getCollection(ctx, collection_id!),
  ])
  const whole = {
    title: collection.name,
    collectionName: collection.name,
    whole: true,
    href: `/dashboard/collections/${collection.id}`,
  }
  if (!item) return { ...whole, picture: { title: collection.name, media: { image: null } } }
  return {
    title: titleOf(item),
    picture: item,
    collectionName: collection.name,
    whole: false,
    href: `/dashboard/items/${item.id}`,
  }
}

export async function subjectsOf(ctx: Context, listings: readonly Listed[]): Promise<Map<string, ListingSubject>> {
  const entries = await Promise.all(
    listings.map(async (listing) => [listing.id, await subjectOf(ctx, listing)] as const),
  )
  return new Map(entries)
}
