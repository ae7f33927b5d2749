import { EDITABLE_TYPES, type EditableType } from '@/lib/platform/api/email-templates'

/** Names and purposes of the mails. */
export const TEMPLATE_NAMES = {
  REDEEM_NFT: { title: 'The link', when: 'When an item is sent: the link to claim it.' },
  CLAIM_PINCODE: { title: 'The PIN', when: 'When a recipient confirms their email address.' },
  CLAIMED_NFT: { title: 'Arrival', when: 'When the item is in their wallet.' },
  CLAIM_REMINDER: { title: 'Reminder', when: 'A few days before a link expires.' },
  RECEIPT: { title: 'Receipt', when: 'When a payment succeeded.' },
  REFUND: { title: 'Refund', when: 'When money was paid back.' },
} as const satisfies Record<EditableType, { title: string; when: string }>

export const SOURCE_WORDS = {
  PLATFORM: 'Built-in template',
  ORGANIZATION: 'Your default template',
  CAMPAIGN: 'This campaign’s template',
} as const

/** Types as they are written in a path: claim-pincode. */
const slugOf = (type: EditableType): string => type.toLowerCase().replaceAll('_', '-')
export const typeOfSlug = (slug: string): EditableType | null =>
  EDITABLE_TYPES.find((type) => slugOf(type) === slug) ?? null

export const templatePath = (type: EditableType, campaignId: string | null): string =>
  `/dashboard/campaigns${campaignId ? `/${campaignId}` : ''}/templates/${slugOf(type)}`
