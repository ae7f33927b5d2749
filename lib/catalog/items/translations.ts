import type { Item } from '../../../generated/prisma/client.ts'
import { localeGiven } from '../../core/locale-given.ts'
import type { Locale } from '../../core/locales.ts'
import type { ItemTranslations } from '../../platform/api/attributes.ts'
import { isHidden } from '../collections/reveal.ts'
import { type Shown, shownAttributesOf, titleOf } from './show-item.ts'

/** What a request gives, by the languages that we speak; null: none. Throws `invalid_request` for a language that we don't speak. */
export function translationsGiven(given: ItemTranslations | null | undefined, field: string): ItemTranslations | null {
  const entries = Object.entries(given ?? {}).map(
    ([tag, texts]) => [localeGiven(tag, `${field}.${tag}`), texts] as const,
  )
  return entries.length === 0 ? null : (Object.fromEntries(entries) as ItemTranslations)
}

/** The title of an item for a reader of a language: its translation, else its own. A hidden item has only its collection's preview. */
export function titleIn(item: Shown & Pick<Item, 'translations'>, locale: Locale): string {
  const { translations, collection } = item
  const own = isHidden(collection) ? undefined : (translations as ItemTranslations | null)?.[locale]?.title
  return own ?? titleOf(shownAttributesOf(item))
}
