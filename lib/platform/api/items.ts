import { z } from 'zod'
import { pageOf, pageQuery } from '../../core/page.ts'
import { tokenId } from '../../core/token-id.ts'
import { address, count, int32, many, optional, quantity, safeString, timestamp, uuid, whole } from '../../core/wire.ts'
import { attributeFilter, attributes, itemTranslations, itemTypeId, shownTranslations } from './attributes.ts'
import { royaltyInfo, TOKEN_TYPES, tokenContract } from './collection-record.ts'
import { endpoint, noContent } from './endpoint.ts'
import { publicListing } from './listing-record.ts'
import { media } from './media.ts'
import { STORY } from './story.ts'
const area = 'Items'
const params = z.object({ item_id: uuid })

export const TOKEN_STATUSES = ['NOT_MINTED', 'MINTING', 'MINTED', 'BURNED'] as const
export const MAX_ITEMS = 1000

export const adminItem = z
  .object({
    id: uuid,
    collection_id: uuid,
    item_type_id: itemTypeId,
    attributes: z.record(z.string(), z.unknown()),
    translations: shownTranslations,
    locked: z.boolean(),
    max_supply: count.nullable().describe('null: no limit, or not fixed yet.'),
    media,
    royalty_info: royaltyInfo,
    token_id: z.string().nullable(),
    token_status: z.enum(TOKEN_STATUSES),
    minted: count.describe('Units ever minted.'),
    held: count.describe('Units held for claims, listings, purchases and mint requests.'),
    burned: count,
    kept_by: address
      .nullable()
      .describe(
        'The operator of ours that has the token in custody: it can be claimed, ' +
          'sold and requested again and is delivered by a transfer. null: it is not in custody.',
      ),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'AdminItem' })

const shownAttributes = z
  .record(z.string(), z.object({ value: z.unknown() }))
  .meta({ id: 'ShownAttributes', example: { title: { value: 'Moonflower' } } })

export const publicItem = z
  .object({
    id: uuid,
    collection_id: uuid,
    token_id: z.string(),
    token_type: z.enum(TOKEN_TYPES),
    network_id: z.int(),
    contract_address: address.nullable(),
    attributes: shownAttributes,
    media,
    title: z.string(),
    description: z.string().nullable(),
    translations: shownTranslations,
  })
  .meta({ id: 'PublicItem' })

export const claimItem = z
  .object({
    id: uuid,
    collection_id: uuid,
    token_id: z.string(),
    attributes: shownAttributes,
    listing: publicListing.nullable().describe('The item’s active listing.'),
    media,
    token_contract: tokenContract,
  })
  .meta({ id: 'Item' })

export const hold = z
  .object({
    id: uuid,
    holder_type: z.enum(['CLAIM', 'LISTING', 'PURCHASE', 'MINT_REQUEST', 'ESCROW', 'ARRIVAL']),
    holder_id: uuid,
    quantity: count,
    state: z.enum(['HELD', 'CONSUMED', 'RELEASED', 'EXCEPTION']),
    created_at: timestamp,
  })
  .meta({ id: 'Hold' })

const newItem = z.strictObject({
  collection_id: uuid,
  attributes,
  translations: optional(itemTranslations).describe('Title and description in other languages.'),
  item_type_id: optional(itemTypeId).describe('The collection’s default type unless given.'),
  royalty_info: optional(royaltyInfo),
})

const exampleAttributes = { title: 'Moonflower', description: 'Opens at nine.' }
const itemExample = { collection_id: STORY.collection, attributes: exampleAttributes }

export const listItems = endpoint({
  id: 'list-items',
  method: 'GET',
  path: '/v1/items',
  area,
  auth: 'api_key',
  permission: 'items:read',
  summary: 'List items',
  query: pageQuery(1000).extend({
    collection_id: uuid.nullish(),
    locked: z.enum(['true', 'false']).nullish(),
    token_status: z.enum(TOKEN_STATUSES).nullish(),
    attribute: many(attributeFilter, { commas: false }).describe('`name:value`; several are joined by AND.'),
    search: safeString.nullish().describe('Part of the title, in any case.'),
  }),
  response: pageOf(adminItem),
})

export const createItem = endpoint({
  id: 'create-item',
  method: 'POST',
  path: '/v1/items',
  area,
  auth: 'api_key',
  permission: 'items:write',
  summary: 'Create an item',
  description: 'Unlocked, with attributes that are valid against its item type.',
  body: newItem,
  response: adminItem,
  status: 201,
  errors: ['not_found', 'attributes_invalid', 'schema_too_slow', 'image_invalid', 'royalty_unsupported'],
  example: itemExample,
})

export const createItems = endpoint({
  id: 'create-items',
  method: 'POST',
  path: '/v1/items/bulk',
  area,
  auth: 'api_key',
  permission: 'items:write',
  summary: 'Create many items',
  description: `At most ${MAX_ITEMS}, all or nothing. The ids come in the order of the items.`,
  body: z.strictObject({ items: z.array(newItem).min(1).max(MAX_ITEMS) }),
  response: z.object({ item_ids: z.array(uuid) }),
  status: 201,
  errors: ['not_found', 'attributes_invalid', 'schema_too_slow', 'image_invalid', 'royalty_unsupported'],
  example: { items: [itemExample] },
})

export const lockItems = endpoint({
  id: 'lock-items',
  method: 'POST',
  path: '/v1/items/lock',
  area,
  auth: 'api_key',
  permission: 'items:write',
  summary: 'Lock items',
  description:
    'Gives token ids and fixes the supply. Exactly one of item_id, item_ids (all or nothing) and ' +
    'collection_id (those that remain, 5,000 at a time: after a failure the same request locks the rest). ' +
    'Only locked items can be claimed, listed and minted.',
  body: z
    .strictObject({
      item_id: optional(uuid),
      item_ids: optional(z.array(uuid).min(1).max(MAX_ITEMS)),
      collection_id: optional(uuid),
      max_supply: optional(quantity).describe('Of each item. ERC-721: 1. ERC-1155: no limit unless given.'),
      token_id: optional(whole).describe('For one item of a collection whose token ids are assigned manually.'),
    })
    .superRefine(({ item_id, item_ids, collection_id, token_id }, issues) => {
      const given = [item_id, item_ids, collection_id].filter((value) => value != null).length
      if (given !== 1)
        issues.addIssue({
          code: 'custom',
          path: ['item_id'],
          message: 'Give exactly one of item_id, item_ids and collection_id.',
        })
      if (token_id != null && item_id == null)
        issues.addIssue({ code: 'custom', path: ['token_id'], message: 'A token id goes with item_id alone.' })
    }),
  response: z.object({ lock_outputs: z.array(z.object({ item_id: uuid, token_id: z.string() })) }),
  status: 201,
  errors: [
    'not_found',
    'contents_fixed',
    'item_already_locked',
    'token_id_taken',
    'token_id_invalid',
    'supply_invalid',
  ],
  example: { item_id: STORY.item },
})

export const getItem = endpoint({
  id: 'get-item',
  method: 'GET',
  path: '/v1/items/{item_id}',
  area,
  auth: 'api_key',
  permission: 'items:read',
  summary: 'Get an item',
  params,
  response: adminItem,
})

export const updateItem = endpoint({
  id: 'A5',
  method: 'PATCH',
  path: '/v1/items/{item_id}',
  area,
  auth: 'api_key',
  permission: 'items:write',
  summary: 'Change an item',
  description:
    'Given attributes overwrite, others stay, null removes; title is required. ' +
    'Attributes of a minted item change only where the collection has editable_metadata, ' +
    'and the contents that a delayed reveal promised don’t change. A royalty of a locked item is sent to the chain.',
  params,
  body: z.strictObject({
    attributes,
    translations: optional(itemTranslations).describe(
      'All of them; null removes them. They stay where this is left out.',
    ),
    item_type_id: optional(itemTypeId),
    royalty_info: optional(royaltyInfo),
  }),
  response: adminItem,
  errors: [
    'contents_fixed',
    'attributes_invalid',
    'schema_too_slow',
    'image_invalid',
    'item_already_minted',
    'item_already_locked',
    'royalty_unsupported',
    'gas_budget_spent',
  ],
  example: { attributes: { title: 'Moonflower', colour: 'white' } },
})

export const deleteItem = endpoint({
  id: 'delete-item',
  method: 'DELETE',
  path: '/v1/items/{item_id}',
  area,
  auth: 'api_key',
  permission: 'items:write',
  summary: 'Delete an item',
  description: 'Only while the item is unlocked.',
  params,
  response: noContent,
  status: 204,
  errors: ['item_already_locked'],
})

export const listItemHolds = endpoint({
  id: 'list-item-holds',
  method: 'GET',
  path: '/v1/items/{item_id}/holds',
  area,
  auth: 'api_key',
  permission: 'items:read',
  summary: 'List an item’s holds',
  description:
    'Every unit of the item: minted, held (for what), and free. ' +
    'A token of our own ERC-721 contract that one of our operators has (minted to it, or sent back) is in custody: ' +
    'minted, and free again until something holds it; it is delivered by a transfer.',
  params,
  query: pageQuery(1000).extend({
    state: z.enum(['HELD', 'CONSUMED', 'RELEASED', 'EXCEPTION', 'ALL']).nullish().describe('HELD unless given.'),
  }),
  response: pageOf(hold).extend({
    max_supply: count.nullable(),
    minted: count,
    held: count,
    kept: count.describe('Minted units in custody of our operator, ready to be delivered.'),
    kept_by: address.nullable().describe('The custodian: that operator.'),
    free: count
      .nullable()
      .describe('Units that can still be held: not minted and not held, or in custody and not held. null: no limit.'),
  }),
})

export const listPublicItems = endpoint({
  id: 'P6',
  method: 'GET',
  path: '/public/v1/items',
  area,
  auth: 'anonymous',
  summary: 'List items',
  description: 'Locked items of deployed, public collections.',
  query: pageQuery(1000).extend({
    organization_id: uuid.nullish(),
    network_ids: many(int32),
    attributes: many(attributeFilter, { commas: false }).describe('`name:value`; several are joined by AND.'),
    collection_ids: many(uuid),
    token_ids: many(tokenId),
    owner: address.nullish().describe('Only items of which this address owns units.'),
  }),
  response: pageOf(publicItem),
})

export const getPublicItem = endpoint({
  id: 'P7',
  method: 'GET',
  path: '/public/v1/items/{item_id}',
  area,
  auth: 'anonymous',
  summary: 'Get an item',
  params,
  response: publicItem,
})
