import type { Item } from '../../../generated/prisma/client.ts'
import { localeGiven } from '../../core/locale-given.ts'
import type { Locale } from '../../core/locales.ts'
import type { ItemTranslations } from '../../platform/api/attributes.ts'
import { assertTermsKept, findGlossary } from '../../organizations/glossary.ts'
import type { Context } from '../../platform/auth/context.ts'
import { isHidden } from '../collections/reveal.ts'
import { type ShownItem, shownAttributesOf, titleOf } from './show-item.ts'

/**
 * The translations in a request, by the languages that we speak; null: none. Throws `invalid_request` for a language
 * that we don't speak.
 */
export function translationsGiven(given: ItemTranslations | null | undefined, field: string): ItemTranslations | null {
  const entries = Object.entries(given ?? {}).map(
    ([tag, texts]) => [localeGiven(tag, `${field}.${tag}`), texts] as const,
  )
  return entries.length === 0 ? null : (Object.fromEntries(entries) as ItemTranslations)
}

/** Throws `invalid_request` where a translation lost a term of the organization's glossary. */
export async function assertTranslated(
  ctx: Pick<Context, 'rows' | 'organizationId'>,
  items: readonly { attributes: Record<string, unknown>; translations: unknown; field: string }[],
): Promise<void> {
  const translated = items.filter(({ translations }) => translations !== null)
  if (translated.length === 0) return
  const glossary = await findGlossary(ctx)
  for (const { attributes, translations, field } of translated)
    for (const [locale, texts] of Object.entries(translations as ItemTranslations))
      for (const name of ['title', 'description'] as const) {
        const [original, text] = [attributes[name], texts[name]]
        if (typeof original === 'string' && text !== undefined)
          assertTermsKept(`${field}.${locale}.${name}`, glossary, original, text)
      }
}

/**
 * The title of an item for a reader of a language: its translation, else its own. A hidden item has only its
 * collection's preview.
 */
export function titleIn(item: ShownItem & Pick<Item, 'translations'>, locale: Locale): string {
  const { translations, collection } = item
  const own = isHidden(collection) ? undefined : (translations as ItemTranslations | null)?.[locale]?.title
  return own ?? titleOf(shownAttributesOf(item))
}
