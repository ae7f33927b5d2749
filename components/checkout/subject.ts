import type { PictureItem } from '@/components/ui/picture'
import { titleOf } from '@/components/ui/picture'
import { attributeValue } from '@/components/ui/colours'

/** What is being sold, as the page shows it: an item, any of a collection's, or the several that were bought. */
export type Subject = {
  kind: 'item' | 'collection' | 'several'
  title: string
  description: string | null
  pictures: PictureItem[]
}

type ItemView = PictureItem & { id: string }

/** Reads one public address below `/public/v1`; null where there is nothing. */
export type Reader = <Answer>(path: string) => Promise<Answer | null>

const PICTURES = 4

export function subjectOf(item: PictureItem): Subject {
  const description = attributeValue(item.attributes?.description)
  return {
    kind: 'item',
    title: titleOf(item),
    description: typeof description === 'string' ? description : null,
    pictures: [item],
  }
}

type Unit = { item_id: string; title: string; image: string | null }

/** What was bought: an item, or several of a collection. */
export async function readUnits(units: readonly Unit[], read: Reader): Promise<Subject> {
  const items = await Promise.all(units.slice(0, PICTURES).map((unit) => readUnit(unit, read)))
  const [only] = items
  if (only && units.length === 1) return subjectOf(only)
  return { kind: 'several', title: unitsTitle(units), description: null, pictures: items }
}

/** A private collection's items aren't published: then the purchase's own words for it are all there is. */
async function readUnit({ item_id, title, image }: Unit, read: Reader): Promise<PictureItem> {
  const known = await read<ItemView>(`/items/${item_id}`)
  return known ?? { title, media: { image: image ? { cid: 'ours', full: image } : null } }
}

export function unitsTitle(units: readonly Unit[]): string {
  const [first, ...others] = units
  if (!first) return 'Your purchase'
  return others.length === 0 ? first.title : `${first.title} and ${others.length} more`
}
