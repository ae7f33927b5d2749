import { z } from 'zod'
import { pageOf, pageQuery } from '../../core/page.ts'
import { int32, many, optional, safeString, uuid } from '../../core/wire.ts'
import { attributes, httpsUrl, imageUrl, itemTypeId, multilineText } from './attributes.ts'
import {
  adminCollection,
  collection,
  DEPLOYMENT_STATUSES,
  REVEAL_STRATEGIES,
  royaltyInfo,
} from './collection-record.ts'
import { deploymentExample, deploymentRequest } from './deployments.ts'
import { endpoint, noContent } from './endpoint.ts'

const area = 'Collections'
const params = z.object({ collection_id: uuid })

const details = {
  description: optional(multilineText),
  external_link: optional(httpsUrl),
  image_url: optional(imageUrl),
  media: optional(z.strictObject({ header_image_url: optional(imageUrl), thumbnail_image_url: optional(imageUrl) })),
  default_item_type_id: optional(itemTypeId),
  preview_metadata: optional(attributes).describe(
    'What is shown of an item until it is revealed, with reveal_strategy DELAYED.',
  ),
  royalty_info: optional(royaltyInfo),
}

export const listCollections = endpoint({
  id: 'list-collections',
  method: 'GET',
  path: '/v1/collections',
  area,
  auth: 'api_key',
  permission: 'collections:read',
  summary: 'List collections',
  query: pageQuery(100).extend({
    network_id: many(int32),
    deployment_status: z.enum(DEPLOYMENT_STATUSES).nullish(),
    search: safeString.nullish().describe('Part of the name, in any case.'),
  }),
  response: pageOf(adminCollection),
})

export const createCollection = endpoint({
  id: 'create-collection',
  method: 'POST',
  path: '/v1/collections',
  area,
  auth: 'api_key',
  permission: 'collections:write',
  summary: 'Create a collection',
  description: 'Its name is unique in the organization. With `deployment_request`, its contract is deployed too.',
  body: z.strictObject({
    name: safeString.trim().min(1),
    ...details,
    is_public: optional(z.boolean()).describe('true unless given: anyone can find it.'),
    editable_metadata: optional(z.boolean()).describe('false unless given.'),
    reveal_strategy: optional(z.enum(REVEAL_STRATEGIES)).describe('INSTANT unless given.'),
    deployment_request: optional(deploymentRequest),
  }),
  response: adminCollection,
  status: 201,
  errors: [
    'not_found',
    'name_taken',
    'image_invalid',
    'network_unavailable',
    'approval_needed',
    'mode_mismatch',
    'deployment_invalid',
    'gas_budget_spent',
  ],
  example: {
    name: 'Night garden',
    description: 'Flowers that open after dark.',
    deployment_request: deploymentExample,
  },
})

export const getCollection = endpoint({
  id: 'get-collection',
  method: 'GET',
  path: '/v1/collections/{collection_id}',
  area,
  auth: 'api_key',
  permission: 'collections:read',
  summary: 'Get a collection',
  params,
  response: adminCollection,
})

export const updateCollection = endpoint({
  id: 'update-collection',
  method: 'PATCH',
  path: '/v1/collections/{collection_id}',
  area,
  auth: 'api_key',
  permission: 'collections:write',
  summary: 'Change a collection',
  description:
    'Fields left out stay as they are; null clears one. A new royalty of a deployed contract is sent to the chain.',
  params,
  creation: createCollection.body,
  body: z.strictObject({
    name: safeString.trim().min(1).optional(),
    ...details,
    is_public: z.boolean().optional(),
    editable_metadata: z.boolean().optional(),
    reveal_strategy: z.enum(REVEAL_STRATEGIES).optional(),
  }),
  response: adminCollection,
  errors: [
    'name_taken',
    'image_invalid',
    'contents_fixed',
    'item_already_minted',
    'reveal_impossible',
    'royalty_unsupported',
    'gas_budget_spent',
  ],
  example: { description: 'Flowers that open after dark, and close at dawn.' },
})

export const deleteCollection = endpoint({
  id: 'delete-collection',
  method: 'DELETE',
  path: '/v1/collections/{collection_id}',
  area,
  auth: 'api_key',
  permission: 'collections:write',
  summary: 'Delete a collection',
  description: 'Only while it has no items and no contract.',
  params,
  response: noContent,
  status: 204,
  errors: ['collection_in_use'],
})

export const listPublicCollections = endpoint({
  id: 'P1',
  method: 'GET',
  path: '/public/v1/collections',
  area,
  auth: 'anonymous',
  summary: 'List the collections of an organization',
  description: 'Deployed, public ones.',
  query: pageQuery(100).extend({ organization_id: uuid, collection_id: many(uuid), network_id: many(int32) }),
  response: pageOf(collection),
})

export const getPublicCollection = endpoint({
  id: 'P2',
  method: 'GET',
  path: '/public/v1/collections/{collection_id}',
  area,
  auth: 'anonymous',
  summary: 'Get a collection',
  params,
  response: collection,
})
