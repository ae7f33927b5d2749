import type { getPublicItem as endpoint } from '../../platform/api/items.ts'
import type { Output } from '../../platform/api/endpoint.ts'
import { type HotRead, type Moment, oneRow } from '../../platform/http/hot/hot-read.ts'
import { type CollectionOfItem, publicItemOf, type PublicItemRow } from './show-item.ts'

/** The columns of `items i` and of `collections c` that the public view of an item shows. */
export const OF_ITEM = `i.id, i.collection_id AS "collectionId", i.token_id AS "tokenId", i.attributes, i.translations,
  i.image_source AS "imageSource", i.image_cid AS "imageCid", i.image_file AS "imageFile"`
export const OF_COLLECTION = `c.name, c.reveal_strategy AS "revealStrategy", c.revealed_at AS "revealedAt",
  c.preview_metadata AS "previewMetadata", c.network_id AS "networkId", c.token_type AS "tokenType", c.contract_address AS "contractAddress"`
export const PUBLIC_ITEM_COLUMNS = `${OF_ITEM}, ${OF_COLLECTION}`

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
