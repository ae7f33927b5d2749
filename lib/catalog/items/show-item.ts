import { zeroAddress } from 'viem'
import type { z } from 'zod'
import type { Collection, Item } from '../../../generated/prisma/client.ts'
import type { tokenContract } from '../../platform/api/collection-record.ts'
import type { ItemTranslations } from '../../platform/api/attributes.ts'
import type { adminItem, claimItem, publicItem } from '../../platform/api/items.ts'
import type { media } from '../../platform/api/media.ts'
import { isHidden } from '../collections/reveal.ts'
import { capabilitiesOfCollection, royaltyOfCollection } from '../collections/show-collection.ts'
import { AppError } from '../../core/errors.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import { escapedUrlOf, mediaStemOf, mediaUrlsOf, partsOf } from '../../records/media/media-urls.ts'

/** An item's row with its collection. */
export type ItemRow = Item & { collection: Collection }
/** The columns of `items i` that the organization sees. */
export const ADMIN_ITEM_COLUMNS = columns('i', 'Item', [
  'id',
  'collectionId',
  'itemTypeId',
  'attributes',
  'translations',
  'royaltyReceiver',
  'royaltyBps',
  'tokenId',
  'lockedAt',
  'maxSupply',
  'held',
  'minting',
  'minted',
  'burned',
  'custodian',
  'imageSource',
  'imageCid',
  'imageFile',
  'createdAt',
  'updatedAt',
])
/** The fields of an item, and of its collection, that the organization sees. */
export type AdminItemRow = RowOf<typeof ADMIN_ITEM_COLUMNS> & {
  collection: Pick<Collection, 'defaultItemTypeId' | 'royaltyReceiver' | 'royaltyBps'>
}
export const withCollection = { include: { collection: true } } as const

/** The fields of an item that anyone may see, and those of its collection that are seen with it. */
export type PublicItemRow = Pick<
  Item,
  'id' | 'collectionId' | 'tokenId' | 'attributes' | 'translations' | 'imageSource' | 'imageCid' | 'imageFile'
>
export type CollectionOfItem = Pick<
  Collection,
  'name' | 'revealStrategy' | 'revealedAt' | 'previewMetadata' | 'networkId' | 'tokenType' | 'contractAddress'
>

type Media = z.output<typeof media>
export type TokenStatus = z.output<typeof adminItem>['token_status']
export type Attributes = Record<string, unknown>

/** An ERC-1155 item counts as minted from its first unit, and as burned when none is left. */
export function tokenStatusOf({ minted, minting, burned }: Pick<Item, 'minted' | 'minting' | 'burned'>): TokenStatus {
  if (minted > 0n) return burned >= minted ? 'BURNED' : 'MINTED'
  return minting > 0n ? 'MINTING' : 'NOT_MINTED'
}

/** An item's royalty: its own, else its collection's, else none (zero address, 0). */
const royaltyOf = (row: Pick<AdminItemRow, 'royaltyReceiver' | 'royaltyBps' | 'collection'>) =>
  row.royaltyReceiver !== null
    ? { receiver: row.royaltyReceiver, amount_bps: row.royaltyBps ?? 0 }
    : (royaltyOfCollection(row.collection) ?? { receiver: zeroAddress, amount_bps: 0 })

export type ShownItem = Pick<Item, 'attributes'> & {
  collection: Pick<Collection, 'name' | 'revealStrategy' | 'revealedAt' | 'previewMetadata'>
}

/** The attributes that anyone may see: before a delayed reveal, the collection's preview. */
export function shownAttributesOf({ attributes, collection }: ShownItem): Attributes {
  if (!isHidden(collection)) return attributes as Attributes
  return (collection.previewMetadata as Attributes | null) ?? { title: collection.name }
}

export const titleOf = (attributes: Attributes): string =>
  typeof attributes.title === 'string' ? attributes.title : 'Untitled'
const descriptionOf = ({ description }: Attributes): string | null =>
  typeof description === 'string' ? description : null

/** Nothing where there are none. */
const translationsOf = ({ translations }: Pick<Item, 'translations'>) =>
  translations ? { translations: translations as ItemTranslations } : {}

/** The item's image: the uploaded file or our fetched copy; until the copy is stored, the given URL. */
export function mediaOf(
  row: Pick<Item, 'imageSource' | 'imageCid' | 'imageFile'>,
  attributes: Attributes,
  origin: string,
): Media {
  const given = attributes.image_url
  if (typeof given !== 'string' || given === '') return { image: null }
  const stem = mediaStemOf(given, origin)
  if (stem !== null) return { image: { cid: partsOf(stem).cid, ...mediaUrlsOf(stem, origin) } }
  if (row.imageFile !== null && row.imageSource === given)
    return { image: { cid: row.imageCid, ...mediaUrlsOf(row.imageFile, origin) } }
  const url = escapedUrlOf(given, origin)
  return { image: { cid: null, full: url, original: url, thumb: url, tiny: url } }
}

/** A page of a hundred items has many of them: entries of objects would be most of what it leaves to be collected. */
function wrapValues(attributes: Attributes): Record<string, { value: unknown }> {
  const wrapped: Record<string, { value: unknown }> = {}
  for (const name of Object.keys(attributes)) if (name !== '__proto__') wrapped[name] = { value: attributes[name] }
  return wrapped
}

/** The organization's view of an item. */
export function adminItemOf(row: AdminItemRow, origin: string): z.output<typeof adminItem> {
  const attributes = row.attributes as Attributes
  return {
    id: row.id,
    collection_id: row.collectionId,
    item_type_id: row.itemTypeId ?? row.collection.defaultItemTypeId ?? 'default',
    attributes,
    ...translationsOf(row),
    locked: row.lockedAt !== null,
    max_supply: row.maxSupply,
    media: mediaOf(row, attributes, origin),
    royalty_info: royaltyOf(row),
    token_id: row.tokenId,
    token_status: tokenStatusOf(row),
    minted: row.minted,
    held: row.held,
    burned: row.burned,
    kept_by: row.custodian,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  }
}

/** A locked item of a deployed collection. */
export function publicItemOf(
  row: PublicItemRow,
  collection: CollectionOfItem,
  origin: string,
): z.output<typeof publicItem> {
  if (row.tokenId === null || collection.networkId === null || !collection.tokenType)
    throw new AppError('internal', 'A published item has no token.')
  const attributes = shownAttributesOf({ attributes: row.attributes, collection })
  return {
    id: row.id,
    collection_id: row.collectionId,
    token_id: row.tokenId,
    token_type: collection.tokenType,
    network_id: collection.networkId,
    contract_address: collection.contractAddress,
    attributes: wrapValues(attributes),
    media: mediaOf(row, attributes, origin),
    title: titleOf(attributes),
    description: descriptionOf(attributes),
    ...(!isHidden(collection) && translationsOf(row)),
  }
}

type ContractRow = Pick<
  Collection,
  | 'contractAddress'
  | 'contractVersion'
  | 'deploymentStatus'
  | 'deploymentTransactionId'
  | 'deploymentType'
  | 'minter'
  | 'networkId'
  | 'soulbound'
  | 'symbol'
  | 'tokenType'
>

/** The fields of an item, and of its collection, that a claim's recipient sees. */
export type ClaimItemRow = PublicItemRow & { collection: CollectionOfItem & ContractRow }

/** The contract of a collection, as claims and purchases show it. */
const tokenContractOf = (collection: ContractRow, deployTxHash: string | null): z.output<typeof tokenContract> => ({
  address: collection.contractAddress,
  capabilities: capabilitiesOfCollection(collection),
  deploy_tx_id: collection.deploymentTransactionId,
  network_id: collection.networkId,
  symbol: collection.symbol,
  token_type: collection.tokenType ?? 'ERC721',
  tx_hash: deployTxHash,
})

/** An item as a claim's recipient sees it, with its active listing. */
export function claimItemOf(
  row: ClaimItemRow,
  origin: string,
  deployTxHash: string | null,
  listing: z.output<typeof claimItem>['listing'],
): z.output<typeof claimItem> {
  if (row.tokenId === null) throw new AppError('internal', 'A claimed item has no token.')
  const attributes = shownAttributesOf(row)
  return {
    id: row.id,
    collection_id: row.collectionId,
    token_id: row.tokenId,
    attributes: wrapValues(attributes),
    listing,
    media: mediaOf(row, attributes, origin),
    token_contract: tokenContractOf(row.collection, deployTxHash),
  }
}
