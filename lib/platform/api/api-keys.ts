import { z } from 'zod'
import { pageOf, pageQuery } from '../../core/page.ts'
import { optional, safeString, timestamp, uuid } from '../../core/wire.ts'
import { endpoint, noContent } from './endpoint.ts'
import { PERMISSIONS } from './permissions.ts'

const area = 'API keys'
const params = z.object({ api_key_id: uuid })

export const apiKey = z
  .object({
    id: uuid,
    name: z.string(),
    prefix: z.string().describe('The beginning of the key, to recognise it.').meta({ example: 'vt_test_1a2B3c4D' }),
    permissions: z.array(z.enum(PERMISSIONS)),
    mode: z.enum(['TEST', 'LIVE']),
    member_id: uuid.describe('The key never has more permissions than this member.'),
    expires_at: timestamp.nullable(),
    last_used_at: timestamp.nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'ApiKey' })

export const listApiKeys = endpoint({
  id: 'list-api-keys',
  method: 'GET',
  path: '/v1/api-keys',
  area,
  auth: 'api_key',
  permission: 'api_keys:read',
  summary: 'List API keys',
  description: 'The keys that are not revoked.',
  query: pageQuery(100),
  response: pageOf(apiKey),
})

export const createApiKey = endpoint({
  id: 'create-api-key',
  method: 'POST',
  path: '/v1/api-keys',
  area,
  auth: 'api_key',
  permission: 'api_keys:write',
  summary: 'Create an API key',
  description:
    'The key itself is in this response only. It has the caller’s permissions unless fewer are requested. ' +
    'A key makes none with a permission that it lacks, no LIVE one if it is TEST, ' +
    'and none that expires later than itself.',
  body: z.strictObject({
    name: safeString.trim().min(1),
    permissions: optional(z.array(z.enum(PERMISSIONS)).min(1)),
    mode: optional(z.enum(['TEST', 'LIVE'])).describe(
      'TEST unless given. TEST keys change only what is on test networks.',
    ),
    expires_at: optional(timestamp).describe('The expiry of the key that makes it unless given; else never.'),
  }),
  response: apiKey.extend({ key: z.string().describe('Shown this once.') }),
  status: 201,
  errors: ['forbidden', 'sign_in_again'],
  example: { name: 'Shop backend', permissions: ['items:read', 'email_claims:write'], mode: 'TEST' },
})

export const getApiKey = endpoint({
  id: 'get-api-key',
  method: 'GET',
  path: '/v1/api-keys/{api_key_id}',
  area,
  auth: 'api_key',
  permission: 'api_keys:read',
  summary: 'Get an API key',
  params,
  response: apiKey,
})

export const revokeApiKey = endpoint({
  id: 'revoke-api-key',
  method: 'DELETE',
  path: '/v1/api-keys/{api_key_id}',
  area,
  auth: 'api_key',
  permission: 'api_keys:write',
  summary: 'Revoke an API key',
  description: 'Takes effect at once and can’t be undone. Only an owner revokes the key of an owner.',
  params,
  response: noContent,
  status: 204,
  errors: ['role_beyond_own'],
})
