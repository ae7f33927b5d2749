import type { getPublicItem as endpoint } from '../../platform/api/items.ts'
import type { Output } from '../../platform/api/endpoint.ts'
import { type HotRead, type Moment, oneRow, selected } from '../../platform/http/hot/hot-read.ts'
import { type CollectionOfItem, publicItemOf, type PublicItemRow } from './show-item.ts'

/** The columns of `items i` and of `collections c` that the public view of an item shows. */
export const OF_ITEM = {
  id: 'i.id',
  collectionId: 'i.collection_id',
  tokenId: 'i.token_id',
  attributes: 'i.attributes',
  translations: 'i.translations',
  imageSource: 'i.image_source',
  imageCid: 'i.image_cid',
  imageFile: 'i.image_file',
}
export const OF_COLLECTION = {
  name: 'c.name',
  revealStrategy: 'c.reveal_strategy',
  revealedAt: 'c.revealed_at',
  previewMetadata: 'c.preview_metadata',
  networkId: 'c.network_id',
  tokenType: 'c.token_type',
  contractAddress: 'c.contract_address',
}
export const PUBLIC_ITEM_COLUMNS = selected({ ...OF_ITEM, ...OF_COLLECTION })

/** An item and its collection in one row. */
export type FlatPublicItem = PublicItemRow & CollectionOfItem

export const shownOf = (row: FlatPublicItem, { ports }: Moment) => publicItemOf(row, row, ports.addresses.origin)

/** Locked items of deployed, public collections. */
export const publicItem: HotRead<{ params: { item_id: string } }, FlatPublicItem, Output<typeof endpoint>> = {
  ...oneRow('public_item', {
    key: { id: 'uuid' },
    from: `FROM items i JOIN collections c ON c.id = i.collection_id
      WHERE i.id = asked.id AND i.locked_at IS NOT NULL AND c.deployment_status = 'SUCCESS' AND c.is_public`,
    version: 'i.xmin, c.xmin',
    columns: PUBLIC_ITEM_COLUMNS,
  }),
  keyOf: ({ params }) => [params.item_id],
  show: ([row], _, moment) => shownOf(row!, moment),
}
