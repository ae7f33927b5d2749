import type { PictureItem } from '@/components/ui/item-title'
import { ItemPicture } from '@/components/ui/picture'
import { ItemAbout, ItemHead } from './item-head'

/** An item's picture for its head. */
export const WidePicture = ({ item }: { item: PictureItem }) => <ItemPicture item={item} className="w-full" />

/** A large picture of the item with its title, description and attributes. */
export function ItemCase({ item, quantity }: { item: PictureItem; quantity: number }) {
  return (
    <div className="grid gap-3">
      <ItemHead item={item} picture={<WidePicture item={item} />} quantity={quantity} prominence="large" />
      <ItemAbout item={item} />
    </div>
  )
}
