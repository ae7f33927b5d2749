import { cache } from 'react'
import type { Answer } from '@/lib/platform/api/endpoint'
import * as collections from '@/lib/platform/api/collections'
import * as history from '@/lib/platform/api/history'
import * as items from '@/lib/platform/api/items'
import * as perks from '@/lib/platform/api/perks'
import { now } from '@/lib/core/clock'
import { publicCollection } from '@/lib/catalog/collections/public-collection'
import { publicItem } from '@/lib/catalog/items/public-item'
import { publicItems } from '@/lib/catalog/items/public-items'
import { readItemsOfOwner } from '@/lib/catalog/items/read-items-of-owner'
import { readItemOffer } from '@/lib/onchain/history/item-offer'
import { itemHistory } from '@/lib/onchain/history/list-history'
import { itemOwners } from '@/lib/onchain/history/list-owners'
import { itemPerks } from '@/lib/onchain/perks/list-item-perks'
import { readCollectionOffer } from '@/lib/onchain/perks/read-collection-offer'
import { keptRead } from '@/lib/platform/http/hot/kept-get'

export type PublicCollection = Answer<typeof collections.getPublicCollection>
export type PublicItem = Answer<typeof items.getPublicItem>

const collection = keptRead(collections.getPublicCollection, publicCollection)
const item = keptRead(items.getPublicItem, publicItem)
const page = keptRead(items.listPublicItems, ...publicItems)
const owners = keptRead(history.listOwners, ...itemOwners)
const events = keptRead(history.listHistory, ...itemHistory)
const perksOfItem = keptRead(perks.listItemPerks, ...itemPerks)

/** Reads a record for a public page, from the kept answers of the API. null: it isn't public, or doesn't exist. */
export const readCollection = cache((id: string) => collection({ params: { collection_id: id } }))
export const readItem = cache((id: string) => item({ params: { item_id: id } }))

/** Whose it is, also for the language of its page, and what is offered with it. */
export const readOfferOfCollection = cache(readCollectionOffer)
export const readOfferOfItem = cache((id: string) => readItemOffer(id, now()))

/** null also for a broken cursor. */
export const readItems = (collectionId: string, cursor: string | null, limit: number) =>
  page({ params: {}, search: searchOf({ collection_ids: collectionId, limit, cursor, order_direction: 'ASC' }) })

/** null also for a broken cursor. */
export const readOwned = (address: string, cursor: string | null, limit: number) =>
  readItemsOfOwner(address, searchOf({ limit, cursor }))

export const readOwners = (itemId: string, limit: number) =>
  owners({ params: { item_id: itemId }, search: searchOf({ limit }) })

export const readHistory = (itemId: string, limit: number) =>
  events({ params: { item_id: itemId }, search: searchOf({ limit }) })

export const readPerks = (itemId: string, limit: number) =>
  perksOfItem({ params: { item_id: itemId }, search: searchOf({ limit, order_direction: 'ASC' }) })

function searchOf(query: Record<string, string | number | null>): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]))
  return `?${new URLSearchParams(given).toString()}`
}
