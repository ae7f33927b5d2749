import type { ACTOR_TYPES } from '@/lib/platform/api/audit-entries'

type ActorType = (typeof ACTOR_TYPES)[number]

export const ACTORS = {
  member: 'A member',
  api_key: 'An API key',
  claim: 'A recipient',
  purchase: 'A buyer',
  anonymous: 'Anybody',
  system: 'Vitrine itself',
} satisfies Record<ActorType, string>

/** Names and pages of the subjects of entries. A subject that is missing here is shown by its type. */
const SUBJECTS: Record<string, { words: string; href?: (id: string) => string }> = {
  api_key: { words: 'API key', href: () => '/dashboard/api-keys' },
  campaign: { words: 'Campaign', href: (id) => `/dashboard/campaigns/${id}` },
  collection: { words: 'Collection', href: (id) => `/dashboard/collections/${id}` },
  email_claim: { words: 'Email claim', href: (id) => `/dashboard/claims/${id}` },
  email_integration: { words: 'Email settings', href: () => '/dashboard/settings/email' },
  email_template: { words: 'Email template' },
  import: { words: 'Import', href: (id) => `/dashboard/imports/${id}` },
  item: { words: 'Item', href: (id) => `/dashboard/items/${id}` },
  item_type: { words: 'Item type', href: (id) => `/dashboard/item-types/${id}` },
  listing: { words: 'Listing', href: (id) => `/dashboard/listings/${id}` },
  mail_opt_out: { words: 'Unsubscribed address' },
  media: { words: 'Picture', href: () => '/dashboard/media' },
  member: { words: 'Member', href: () => '/dashboard/members' },
  mint_request: { words: 'Mint request', href: () => '/dashboard/mint-requests' },
  mint_voucher: { words: 'Mint voucher' },
  organization: { words: 'Organization', href: () => '/dashboard/settings' },
  passkey: { words: 'Passkey' },
  payment: { words: 'Payment' },
  payment_integration: { words: 'Card account', href: () => '/dashboard/payments' },
  perk: { words: 'Perk' },
  purchase_intent: { words: 'Purchase', href: (id) => `/dashboard/purchases/${id}` },
  session: { words: 'Session' },
  snapshot: { words: 'Snapshot', href: () => '/dashboard/snapshots' },
  suppression: { words: 'Stopped address', href: () => '/dashboard/settings/email' },
  transaction: { words: 'Transaction', href: (id) => `/dashboard/transactions/${id}` },
  webhook: { words: 'Webhook', href: (id) => `/dashboard/webhooks/${id}` },
}

export const SUBJECT_TYPES = Object.keys(SUBJECTS)

/** listing.allow_list_changed → Listing allow list changed. */
export function inWords(name: string): string {
  const words = name
    .replaceAll(/[._]/g, ' ')
    .replace(/\bapi\b/g, 'API')
    .replace(/\bcsv\b/g, 'CSV')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const subjectInWords = (type: string): string => SUBJECTS[type]?.words ?? inWords(type)
export const subjectHref = (type: string, id: string): string | null => SUBJECTS[type]?.href?.(id) ?? null
