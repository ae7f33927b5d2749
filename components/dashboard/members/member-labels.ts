import type { Area, Role } from '@/lib/platform/api/permissions'

/** What each role is for. */
export const ROLE_HINTS = {
  OWNER: 'Can do everything, and manage owners.',
  ADMIN: 'Can do everything except manage owners.',
  EDITOR: 'Can create, sell and send. Can only view settings, members, keys and payments.',
  VIEWER: 'Can view everything and change nothing.',
} satisfies Record<Role, string>

/** What each area of permissions is called in the dashboard. */
export const AREA_NAMES = {
  organizations: 'Organization and payout address',
  members: 'Members',
  api_keys: 'API keys',
  collections: 'Collections',
  item_types: 'Item types',
  items: 'Items',
  email_claims: 'Email claims',
  mint_requests: 'Mint requests',
  transactions: 'Transactions',
  listings: 'Listings',
  purchase_intents: 'Purchases and refunds',
  payments: 'Card provider',
  snapshots: 'Snapshots',
  media: 'Media',
  imports: 'Imports',
  campaigns: 'Campaigns',
  email_templates: 'Mail templates',
  email_integrations: 'Mail server',
  webhooks: 'Webhooks',
  analytics: 'Figures',
  audit: 'Audit log',
} satisfies Record<Area, string>
