import { zeroAddress } from 'viem'
import { z } from 'zod'
import { pageOf, pageQuery } from '../../core/page.ts'
import { address, count, int32, many, optional, safeString, timestamp, uuid } from '../../core/wire.ts'
import { attributes, httpsUrl, imageUrl, itemTypeId, prose } from './attributes.ts'
import { endpoint, nothing } from './endpoint.ts'

const area = 'Collections'
const params = z.object({ collection_id: uuid })

export const TOKEN_TYPES = ['ERC721', 'ERC1155'] as const
export const TOKEN_ID_ASSIGNMENTS = ['AUTOMATIC', 'MANUAL'] as const
export const DEPLOYMENT_TYPES = ['PLATFORM', 'EXTERNAL'] as const
export const DEPLOYMENT_STATUSES = ['PENDING', 'SUCCESS', 'FAILED'] as const
export const REVEAL_STRATEGIES = ['INSTANT', 'DELAYED'] as const

export const royaltyInfo = z
  .strictObject({
    receiver: address,
    amount_bps: z.int().min(0).max(10_000).describe('Basis points of a sale: 250 is 2.5 %.'),
  })
  .refine(({ receiver, amount_bps }) => amount_bps === 0 || receiver !== zeroAddress, {
    error: 'A royalty needs a receiver.',
    path: ['receiver'],
  })
  .meta({ id: 'RoyaltyInfo', example: { receiver: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', amount_bps: 250 } })

const collectionMedia = z
  .object({ header_image_url: z.string().nullable(), thumbnail_image_url: z.string().nullable() })
  .meta({ id: 'CollectionMedia' })

export const reveal = z
  .object({
    state: z.enum(['HIDDEN', 'REVEALED']),
    commitment: z.string().nullable().describe('SHA-256 of the seed, known before anything is sold.'),
    provenance: z
      .string()
      .nullable()
      .describe(
        'SHA-256 over what the locked items hold, in the order of their token ids. It stays from the first promise on; null before an item is locked.',
      ),
    revealed_at: timestamp.nullable(),
    seed: z.string().nullable().describe('null until it is used.'),
    proof_url: z.string().describe('Everything that is needed to check it.'),
  })
  .meta({ id: 'Reveal' })

export const collection = z
  .object({
    id: uuid,
    organization_id: uuid,
    name: z.string(),
    contract: address,
    network_id: z.int(),
    token_type: z.enum(TOKEN_TYPES),
    symbol: z.string().nullable(),
    soulbound: z.boolean(),
    description: z.string().nullable(),
    external_link: z.string().nullable(),
    image_url: z.string().nullable(),
    base_uri: z.string().nullable().describe('A token’s metadata is at this address followed by its id.'),
    max_supply: count.nullable(),
    media: collectionMedia.nullable(),
    editable_metadata: z.boolean().describe('Attributes may change after minting.'),
    royalty_info: royaltyInfo.nullable(),
    reveal: reveal.nullable().describe('Of a delayed reveal; null where nothing was ever hidden.'),
    created_at: timestamp,
  })
  .meta({ id: 'Collection' })

export const deployment = z
  .object({
    status: z.enum(DEPLOYMENT_STATUSES),
    type: z.enum(DEPLOYMENT_TYPES),
    network_id: z.int(),
    transaction_id: uuid.nullable().describe('null for an EXTERNAL contract.'),
    contract: address.describe('Where the contract is, or will be.'),
    failure: z.string().nullable(),
  })
  .meta({ id: 'Deployment' })

/** The public record, null where there is no contract yet, and what only its organization sees. */
export const adminCollection = collection
  .extend({
    contract: address.nullable(),
    network_id: z.int().nullable(),
    token_type: z.enum(TOKEN_TYPES).nullable(),
    is_public: z.boolean(),
    default_item_type_id: itemTypeId,
    reveal_strategy: z.enum(REVEAL_STRATEGIES),
    preview_metadata: z.record(z.string(), z.unknown()).nullable(),
    token_id_assignment_strategy: z.enum(TOKEN_ID_ASSIGNMENTS),
    capabilities: z.array(z.string()),
    owner: address.nullable().describe('Who may give roles on the contract and hand it over.'),
    mode: z
      .enum(['TEST', 'LIVE'])
      .nullable()
      .describe('TEST on a testnet, else LIVE; null before a deployment is requested.'),
    deployment: deployment.nullable(),
    updated_at: timestamp,
  })
  .meta({ id: 'AdminCollection' })

const symbol = safeString.trim().min(1).max(32)
const maxSupply = count.refine((units) => units >= 1n, 'At least 1 is needed.')

export const deploymentRequest = z
  .strictObject({
    network_id: z.int().min(1),
    type: optional(z.enum(DEPLOYMENT_TYPES)).describe(
      'PLATFORM unless given: we deploy a contract. EXTERNAL: one that is already there.',
    ),
    token_id_assignment_strategy: optional(z.enum(TOKEN_ID_ASSIGNMENTS)).describe('AUTOMATIC unless given.'),
    platform: optional(
      z.strictObject({
        symbol,
        variant: z.enum(TOKEN_TYPES),
        max_supply: optional(maxSupply),
        owner: optional(address),
        soulbound: optional(z.boolean()),
      }),
    ),
    external: optional(z.strictObject({ address, token_type: z.enum(TOKEN_TYPES) })),
  })
  .superRefine(({ type, platform, external }, issues) => {
    const [wanted, other] =
      type === 'EXTERNAL' ? (['external', 'platform'] as const) : (['platform', 'external'] as const)
    const given = { platform, external }
    if (!given[wanted])
      issues.addIssue({
        code: 'custom',
        path: [wanted],
        message: `A deployment of type ${type ?? 'PLATFORM'} needs this field.`,
      })
    if (given[other])
      issues.addIssue({
        code: 'custom',
        path: [other],
        message: `This field does not go with type ${type ?? 'PLATFORM'}.`,
      })
  })
  .meta({ id: 'DeploymentRequest' })

const deploymentExample = { network_id: 31337, platform: { symbol: 'NIGHT', variant: 'ERC721', max_supply: 500 } }

const details = {
  description: optional(prose),
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
    'name_taken',
    'image_invalid',
    'network_unavailable',
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
    'item_already_minted',
    'reveal_impossible',
    'royalty_unsupported',
    'gas_budget_spent',
  ],
  example: { description: 'Flowers that open after dark, and close at dawn.' },
})

export const revealCollection = endpoint({
  id: 'reveal-collection',
  method: 'POST',
  path: '/v1/collections/{collection_id}/reveal',
  area,
  auth: 'api_key',
  permission: 'collections:write',
  summary: 'Reveal a collection',
  description:
    'With reveal_strategy DELAYED, once all its items are locked: what they hold is dealt among them at random, by a seed that was committed to from the start, and shown from then on. It can’t be undone.',
  params,
  body: z.strictObject({}),
  response: adminCollection,
  errors: ['reveal_impossible', 'already_revealed', 'mode_mismatch', 'gas_budget_spent'],
  example: {},
})

export const getReveal = endpoint({
  id: 'get-reveal',
  method: 'GET',
  path: '/public/v1/collections/{collection_id}/reveal',
  area,
  auth: 'anonymous',
  summary: 'The proof of a delayed reveal',
  description:
    'Before it, the commitment; after it, all that is needed to deal again what was dealt. How to check it is written in docs/reveal.md. 404 where nothing was ever hidden.',
  params,
  response: reveal.extend({
    algorithm: z.string().nullable().describe('How it was dealt; null until then, like what follows.'),
    contents: z
      .array(z.string())
      .nullable()
      .describe('The hash of what each locked item held before, in the order of their token ids.'),
    tokens: z
      .array(z.object({ token_id: z.string(), content_hash: z.string() }))
      .nullable()
      .describe('What each token got.'),
  }),
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
  response: nothing,
  status: 204,
  errors: ['collection_in_use'],
})

export const requestDeployment = endpoint({
  id: 'request-deployment',
  method: 'POST',
  path: '/v1/collections/{collection_id}/deployment-request',
  area,
  auth: 'api_key',
  permission: 'collections:write',
  summary: 'Deploy a collection',
  description:
    'PLATFORM: our contract, deployed by us. EXTERNAL: a contract that is already there; we read it, and mint only if it lets us. The same request on a connected contract asks it again what we may do. A failed deployment can be requested again.',
  params,
  body: deploymentRequest,
  response: deployment,
  status: 201,
  errors: [
    'collection_already_deployed',
    'network_unavailable',
    'mode_mismatch',
    'deployment_invalid',
    'supply_invalid',
    'gas_budget_spent',
  ],
  example: deploymentExample,
})

export const getDeployment = endpoint({
  id: 'get-deployment',
  method: 'GET',
  path: '/v1/collections/{collection_id}/deployment-request',
  area,
  auth: 'api_key',
  permission: 'collections:read',
  summary: 'How a deployment goes',
  params,
  response: deployment,
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
