import { z } from 'zod'
import { pageOf, pageQuery } from '../../core/page.ts'
import { json, safeString, timestamp, uuid } from '../../core/wire.ts'
import { endpoint, noContent } from './endpoint.ts'

const area = 'Item types'
const params = z.object({ item_type_id: uuid })
const schema = z.record(z.string(), json).describe('JSON Schema, draft 2020-12, of the attributes.')

export const itemType = z
  .object({
    id: uuid,
    name: z.string(),
    schema: z.record(z.string(), z.unknown()),
    in_use: z.boolean().describe('Whether an item or collection uses it: its schema is fixed then.'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'ItemType' })

const example = {
  name: 'Flower',
  schema: {
    type: 'object',
    required: ['title', 'petals'],
    properties: { title: { type: 'string' }, petals: { type: 'integer', minimum: 3 } },
  },
}

export const listItemTypes = endpoint({
  id: 'list-item-types',
  method: 'GET',
  path: '/v1/item-types',
  area,
  auth: 'api_key',
  permission: 'item_types:read',
  summary: 'List item types',
  query: pageQuery(100),
  response: pageOf(itemType),
})

export const createItemType = endpoint({
  id: 'create-item-type',
  method: 'POST',
  path: '/v1/item-types',
  area,
  auth: 'api_key',
  permission: 'item_types:write',
  summary: 'Create an item type',
  description: 'A JSON Schema that attributes must satisfy. `$ref` may refer to the schema itself only.',
  body: z.strictObject({ name: safeString.trim().min(1), schema }),
  response: itemType,
  status: 201,
  errors: ['name_taken', 'schema_invalid'],
  example,
})

export const getItemType = endpoint({
  id: 'get-item-type',
  method: 'GET',
  path: '/v1/item-types/{item_type_id}',
  area,
  auth: 'api_key',
  permission: 'item_types:read',
  summary: 'Get an item type',
  params,
  response: itemType,
})

export const updateItemType = endpoint({
  id: 'update-item-type',
  method: 'PATCH',
  path: '/v1/item-types/{item_type_id}',
  area,
  auth: 'api_key',
  permission: 'item_types:write',
  summary: 'Change an item type',
  description: 'Its schema can’t change once an item or collection uses it; the name always can.',
  params,
  body: z.strictObject({ name: safeString.trim().min(1).optional(), schema: schema.optional() }),
  response: itemType,
  errors: ['name_taken', 'schema_invalid', 'item_type_in_use'],
  example: { name: 'Night flower' },
})

export const deleteItemType = endpoint({
  id: 'delete-item-type',
  method: 'DELETE',
  path: '/v1/item-types/{item_type_id}',
  area,
  auth: 'api_key',
  permission: 'item_types:write',
  summary: 'Delete an item type',
  description: 'Only while nothing uses it.',
  params,
  response: noContent,
  status: 204,
  errors: ['item_type_in_use'],
})
