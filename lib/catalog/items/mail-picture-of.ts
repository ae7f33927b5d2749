import type { Item } from '../../../generated/prisma/client.ts'
import { mediaStemOf } from '../../records/media/media-urls.ts'
import { mailPictureUrlOf } from '../../records/media/mail-pictures.ts'
import { mediaOf, shownAttributesOf } from './show-item.ts'

type Row = Pick<Item, 'id'> & Parameters<typeof mediaOf>[0] & Parameters<typeof shownAttributesOf>[0]

/**
 * The URL of an item's picture for mails: our own copy, else the art that is drawn for it. A mail never loads from
 * another server.
 */
export function mailPictureOf(item: Row, origin: string): string {
  const { image } = mediaOf(item, shownAttributesOf(item), origin)
  const stem = image?.full ? mediaStemOf(image.full, origin) : null
  return mailPictureUrlOf(stem ?? item.id, origin)
}
