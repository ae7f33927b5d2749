import type { PictureItem } from '@/components/ui/item-title'
import { ItemPicture } from '@/components/ui/picture'
import { thumbOf } from '../forms/upload'

/** The small picture at the beginning of a row. The text beside it says the same. */
export const RowPicture = ({ item }: { item: PictureItem }) => (
  <span aria-hidden="true" className="size-10 shrink-0 overflow-hidden rounded-sm border bg-well">
    <ItemPicture item={item} size="tiny" className="size-full" />
  </span>
)

/** The picture of something with this title: the uploaded file at this address, else a pattern. */
export function pictureOf(title: string, address: string | null | undefined): PictureItem {
  const thumb = thumbOf(address ?? '')
  return { title, media: { image: thumb === null ? null : { cid: thumb, tiny: thumb, thumb, full: thumb } } }
}

type Pictured = { name: string; image_url?: string | null; media?: { thumbnail_image_url: string | null } | null }

export const collectionPicture = ({ name, image_url, media }: Pictured): PictureItem =>
  pictureOf(name, media?.thumbnail_image_url ?? image_url)
