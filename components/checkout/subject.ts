import type { PictureItem } from '@/components/ui/picture'
import { titleOf } from '@/components/ui/picture'
import { attributeValue } from '@/components/ui/colours'

/** What is sold, as the page shows it: an item, any item of a collection, or the several items that were bought. */
export type Subject = {
  kind: 'item' | 'collection' | 'several'
  title: string
  /** Whose item it is; null where it isn't known. */
  collection: string | null
  description: string | null
  pictures: PictureItem[]
}

/** What an order of it names as its item. */
export const orderedItemOf = ({ kind, title }: Subject): string =>
  kind === 'item' ? title : 'Chosen for you from this collection'

/** Reads an item by its id; null where it isn't published. */
export type ReadItem = (itemId: string) => Promise<PictureItem | null>

const MAX_PICTURES = 4

export function subjectOf(item: PictureItem, collection: string | null): Subject {
  const description = attributeValue(item.attributes?.description)
  return {
    kind: 'item',
    title: titleOf(item),
    collection,
    description: typeof description === 'string' ? description : null,
    pictures: [item],
  }
}

type Unit = { item_id: string; collection_name: string; title: string; image: string | null }

/** What was bought: an item, or several of a collection. */
export async function readUnits(units: readonly Unit[], readItem: ReadItem): Promise<Subject> {
  const items = await Promise.all(
    units.slice(0, MAX_PICTURES).map(async (unit) => (await readItem(unit.item_id)) ?? unpublishedItem(unit)),
  )
  const [only] = items
  const collection = units[0]?.collection_name ?? null
  if (only && units.length === 1) return subjectOf(only, collection)
  return { kind: 'several', title: unitsTitle(units), collection, description: null, pictures: items }
}

/** A private collection's items aren't published; the purchase itself has their titles and images. */
const unpublishedItem = ({ title, image }: Unit): PictureItem => ({
  title,
  media: { image: image ? { cid: 'ours', full: image } : null },
})

export function unitsTitle(units: readonly Unit[]): string {
  const [first, ...others] = units
  if (!first) return 'Your purchase'
  return others.length === 0 ? first.title : `${first.title} and ${others.length} more`
}
