import { useLocale } from 'next-intl'
import { languageOfLetters } from '@/lib/core/language-of-letters'
import { classes } from './classes'
import { ItemArt } from './art'
import { attributeValue, coloursOf } from './colours'
import { StoredImage } from './stored-image'

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

export type PictureSize = 'tiny' | 'thumb' | 'full'

/** The item's title in a language where it has one, else from itself or its attributes. */
export function titleOf(item: PictureItem, locale?: string): string {
  const translated = locale === undefined ? undefined : item.translations?.[locale]?.title
  if (translated) return translated
  const title = item.title ?? attributeValue(item.attributes?.title)
  return typeof title === 'string' && title ? title : 'Untitled'
}

/**
 * The item's picture: our own copy, else art generated from its title and colours. A cid marks that our copy exists.
 * Only the path of the address is used, so that the page never loads from another server.
 */
export function ItemPicture({
  item,
  size = 'full',
  className,
}: {
  item: PictureItem
  size?: PictureSize
  className?: string
}) {
  const image = item.media.image
  const address = image?.cid ? (image[size] ?? image.full) : null
  const locale = useLocale()
  const title = titleOf(item, locale)
  const lang = languageOfLetters(title, locale)
  if (!address) {
    const look = { colours: coloursOf(item.attributes), className: classes('aspect-square', className) }
    return <ItemArt title={titleOf(item)} label={title} lang={lang} {...look} />
  }
  return (
    <StoredImage
      src={pathOf(address)}
      alt={title}
      lang={lang}
      decoding="async"
      className={classes('object-contain', className)}
    />
  )
}

function pathOf(address: string): string {
  const url = new URL(address, 'http://localhost')
  return url.pathname + url.search
}
