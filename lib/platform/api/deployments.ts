import { z } from 'zod'
import { address, optional, quantity, safeString, uuid } from '../../core/wire.ts'
import { deployment, DEPLOYMENT_TYPES, TOKEN_ID_ASSIGNMENTS, TOKEN_TYPES } from './collection-record.ts'
import { endpoint, noContent } from './endpoint.ts'

const area = 'Collections'
const params = z.object({ collection_id: uuid })
const symbol = safeString.trim().min(1).max(32)

export const deploymentRequest = z
  .strictObject({
    network_id: z.int().min(1),
    type: optional(z.enum(DEPLOYMENT_TYPES)).describe(
      'PLATFORM unless given: we deploy a contract. EXTERNAL: an existing contract.',
    ),
    token_id_assignment_strategy: optional(z.enum(TOKEN_ID_ASSIGNMENTS)).describe('AUTOMATIC unless given.'),
    platform: optional(
      z.strictObject({
        symbol,
        variant: z.enum(TOKEN_TYPES),
        max_supply: optional(quantity),
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

export const deploymentExample = {
  network_id: 31337,
  platform: { symbol: 'NIGHT', variant: 'ERC721', max_supply: 500 },
}

export const requestDeployment = endpoint({
  id: 'request-deployment',
  method: 'POST',
  path: '/v1/collections/{collection_id}/deployment-request',
  area,
  auth: 'api_key',
  permission: 'collections:write',
  summary: 'Deploy a collection',
  description:
    'PLATFORM: our contract, deployed by us. EXTERNAL: an existing contract; we index it, ' +
    'and mint only if it permits us. The same request for a connected contract reads again what it permits. ' +
    'A failed deployment can be requested again.',
  params,
  body: deploymentRequest,
  response: deployment,
  status: 201,
  errors: [
    'collection_already_deployed',
    'network_unavailable',
    'approval_needed',
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
  summary: 'Get the state of a deployment',
  params,
  response: deployment,
})

export const refreshMetadata = endpoint({
  id: 'refresh-metadata',
  method: 'POST',
  path: '/v1/collections/{collection_id}/metadata-refresh',
  area,
  auth: 'api_key',
  permission: 'collections:write',
  summary: 'Read metadata of an external contract again',
  description:
    'The worker reads it soon, and the pictures with it, at most once in ten minutes for an item. ' +
    'That happens by itself when the contract says that metadata changed: `MetadataUpdate` and ' +
    '`BatchMetadataUpdate` of ERC-4906, `URI` of ERC-1155. What can’t be read is tried again for about six days.',
  params,
  body: z.strictObject({
    item_ids: optional(z.array(uuid).min(1).max(1_000)).describe('All items of the collection unless given.'),
  }),
  response: noContent,
  status: 204,
  errors: ['not_external', 'mode_mismatch'],
  example: {},
})
