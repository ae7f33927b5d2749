import type { useTranslations } from 'next-intl'
import { type PictureItem, titleOf } from '@/components/ui/item-title'
import { attributeValue } from '@/components/ui/attribute-value'
import type { Locale } from '@/lib/core/locales'

/**
 * The subject of a sale, as the page shows it in its language: an item, any item of a collection, or the several items
 * that were bought.
 */
export type Subject = {
  kind: 'item' | 'collection' | 'several'
  title: string
  /** Whose item it is; null where it isn't known. */
  collection: string | null
  description: string | null
  pictures: PictureItem[]
}

/** Reads an item by its id; null where it isn't published. */
export type ReadItem = (itemId: string) => Promise<PictureItem | null>

const MAX_PICTURES = 4

export function subjectOf(item: PictureItem, collection: string | null, locale: Locale): Subject {
  const description = item.translations?.[locale]?.description ?? attributeValue(item.attributes?.description)
  return {
    kind: 'item',
    title: titleOf(item, locale),
    collection,
    description: typeof description === 'string' ? description : null,
    pictures: [item],
  }
}

/** The texts of a purchase's page. */
export type PurchaseTexts = ReturnType<typeof useTranslations<'purchase'>>

type Unit = { item_id: string; collection_name: string; title: string; image: string | null }

/** Reads the units that were bought as a subject: an item, or several of a collection. */
export async function readUnits(
  units: readonly Unit[],
  readItem: ReadItem,
  locale: Locale,
  t: PurchaseTexts,
): Promise<Subject> {
  const items = await Promise.all(
    units.slice(0, MAX_PICTURES).map(async (unit) => (await readItem(unit.item_id)) ?? unpublishedItem(unit)),
  )
  const [first] = items
  const collection = units[0]?.collection_name ?? null
  if (first && units.length === 1) return subjectOf(first, collection, locale)
  return {
    kind: 'several',
    title: unitsTitle(first ? [titleOf(first, locale), ...titlesOf(units.slice(1))] : [], t),
    collection,
    description: null,
    pictures: items,
  }
}

/** A private collection's items aren't published; the purchase itself has their titles and images. */
const unpublishedItem = ({ title, image }: Unit): PictureItem => ({
  title,
  media: { image: image ? { cid: 'ours', full: image } : null },
})

export const titlesOf = (units: readonly Unit[]): string[] => units.map(({ title }) => title)

/** The name of a purchase of items with these titles. */
export function unitsTitle([first, ...others]: readonly string[], t: PurchaseTexts): string {
  if (first === undefined) return t('page.title')
  return others.length === 0 ? first : t('andMore', { title: first, count: others.length })
}
