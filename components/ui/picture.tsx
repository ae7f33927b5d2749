import { useLocale } from 'next-intl'
import { languageOfLetters } from '@/lib/core/language-of-letters'
import { classes } from './classes'
import { ItemArt } from './art'
import { coloursOf } from './colours'
import { type PictureItem, titleOf } from './item-title'
import { StoredImage } from './stored-image'

export type PictureSize = 'tiny' | 'thumb' | 'full'

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
