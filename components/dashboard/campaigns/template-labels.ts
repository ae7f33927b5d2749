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

/** `locale`: of a variant; `query`: what else the page is asked for. */
export function templatePath(
  type: EditableType,
  { campaign_id, locale }: TemplateScope,
  query: Record<string, string> = {},
): string {
  const asked = new URLSearchParams({ ...(locale && { locale }), ...query }).toString()
  return `/dashboard/campaigns${campaign_id ? `/${campaign_id}` : ''}/templates/${slugOf(type)}${asked && `?${asked}`}`
}

/** Which template of a type: a campaign's or (null) the organization's, a language's or (null) the default. */
export type TemplateScope = { campaign_id: string | null; locale: string | null }
