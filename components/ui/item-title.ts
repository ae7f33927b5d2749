import { attributeValue } from './attribute-value'

export type PictureItem = {
  title?: string | null
  attributes?: Record<string, unknown>
  /** Title and description in other languages. */
  translations?: Record<string, { title?: string | undefined; description?: string | undefined }> | undefined
  media: { image: ItemImage | null }
}

export type ItemImage = {
  cid?: string | null
  full?: string | null
  original?: string | null
  thumb?: string | null
  tiny?: string | null
}

/** The item's title in a language where it has one, else from itself or its attributes. */
export function titleOf(item: PictureItem, locale?: string): string {
  const translated = locale === undefined ? undefined : item.translations?.[locale]?.title
  if (translated) return translated
  const title = item.title ?? attributeValue(item.attributes?.title)
  return typeof title === 'string' && title ? title : 'Untitled'
}
