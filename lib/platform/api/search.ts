import { z } from 'zod'
import { safeString, uuid } from '../../core/wire.ts'
import { endpoint } from './endpoint.ts'
import type { Permission } from './permissions.ts'

/** The kinds of record that are searched, with the permission that each needs. */
export const SEARCH_PERMISSIONS = {
  COLLECTION: 'collections:read',
  ITEM: 'items:read',
  LISTING: 'listings:read',
  EMAIL_CLAIM: 'email_claims:read',
  PURCHASE_INTENT: 'purchase_intents:read',
  CAMPAIGN: 'campaigns:read',
  MEMBER: 'members:read',
} as const satisfies Record<string, Permission>
export type SearchKind = keyof typeof SEARCH_PERMISSIONS

const found = z
  .object({
    kind: z.enum(Object.keys(SEARCH_PERMISSIONS) as [SearchKind, ...SearchKind[]]),
    id: uuid,
    title: z.string(),
    detail: z.string().nullable().describe('What distinguishes it from others with the same title.'),
  })
  .meta({ id: 'Found' })

export const search = endpoint({
  id: 'search',
  method: 'GET',
  path: '/v1/search',
  area: 'Search',
  auth: 'api_key',
  permission: 'organizations:read',
  summary: 'Search everything',
  description:
    'Finds collections and campaigns by name, items by the beginnings of words in their title or by token id, ' +
    'their listings, email claims and purchases by the beginning of an email address, members by email, ' +
    'and anything by its id. At most five of each kind, and only kinds the caller may read.',
  query: z.object({ q: safeString.trim().min(1) }),
  response: z.object({ results: z.array(found) }),
})
