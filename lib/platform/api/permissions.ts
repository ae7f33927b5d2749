/** The areas of permissions: each has `<area>:read` and `<area>:write`. */
export const AREAS = [
  'organizations',
  'members',
  'api_keys',
  'collections',
  'item_types',
  'items',
  'email_claims',
  'mint_requests',
  'transactions',
  'listings',
  'purchase_intents',
  'payments',
  'snapshots',
  'media',
  'imports',
  'campaigns',
  'email_templates',
  'email_integrations',
  'webhooks',
  'analytics',
  'audit',
] as const
export type Area = (typeof AREAS)[number]
export type Permission = `${Area}:${'read' | 'write'}`

export const PERMISSIONS: readonly Permission[] = AREAS.flatMap((area) => [`${area}:read`, `${area}:write`] as const)

/**
 * Areas that belong to the whole organization, whichever network its collections are on: its payout address, members,
 * mail and webhooks. A TEST key changes these only while nothing of the organization is LIVE.
 */
export const ORGANIZATION_WIDE: readonly Area[] = [
  'organizations',
  'members',
  'email_templates',
  'email_integrations',
  'webhooks',
]

export const ROLES = ['OWNER', 'ADMIN', 'EDITOR', 'VIEWER'] as const
export type Role = (typeof ROLES)[number]

const READS = PERMISSIONS.filter((permission) => permission.endsWith(':read'))
const CONTENT: readonly Permission[] = [
  'collections:write',
  'item_types:write',
  'items:write',
  'email_claims:write',
  'mint_requests:write',
  'listings:write',
  'snapshots:write',
  'media:write',
  'imports:write',
  'campaigns:write',
  'email_templates:write',
]

/** The permissions of each role. An API key never has more than its member's role. */
export const ROLE_PERMISSIONS = {
  OWNER: PERMISSIONS,
  ADMIN: PERMISSIONS,
  EDITOR: [...READS, ...CONTENT],
  VIEWER: READS,
} satisfies Record<Role, readonly Permission[]>
