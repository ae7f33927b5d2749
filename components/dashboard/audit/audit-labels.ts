import type { Messages, useTranslations } from 'next-intl'
import { DEFAULT_LOCALE } from '@/lib/core/locales'
import type { ACTOR_TYPES } from '@/lib/platform/api/audit-entries'

type ActorType = (typeof ACTOR_TYPES)[number]

export const ACTORS = [
  'member',
  'api_key',
  'claim',
  'purchase',
  'anonymous',
  'system',
] as const satisfies readonly ActorType[]

type Subject = keyof Messages['dashboard']['audit']['subjects']

/** The subjects of entries and their pages. A subject that is missing here is shown by its type. */
const SUBJECTS: Record<Subject, ((id: string) => string) | null> = {
  api_key: () => '/dashboard/api-keys',
  campaign: (id) => `/dashboard/campaigns/${id}`,
  collection: (id) => `/dashboard/collections/${id}`,
  email_claim: (id) => `/dashboard/claims/${id}`,
  email_integration: () => '/dashboard/settings/email',
  email_template: null,
  import: (id) => `/dashboard/imports/${id}`,
  item: (id) => `/dashboard/items/${id}`,
  item_type: (id) => `/dashboard/item-types/${id}`,
  listing: (id) => `/dashboard/listings/${id}`,
  mail_opt_out: null,
  media: () => '/dashboard/media',
  member: () => '/dashboard/members',
  mint_request: () => '/dashboard/mint-requests',
  mint_voucher: null,
  organization: () => '/dashboard/settings',
  passkey: null,
  payment: null,
  payment_integration: () => '/dashboard/payments',
  perk: null,
  purchase_intent: (id) => `/dashboard/purchases/${id}`,
  session: null,
  snapshot: () => '/dashboard/snapshots',
  suppression: () => '/dashboard/settings/email',
  transaction: (id) => `/dashboard/transactions/${id}`,
  webhook: (id) => `/dashboard/webhooks/${id}`,
}

export const SUBJECT_TYPES = Object.keys(SUBJECTS) as Subject[]

const isKnown = (type: string): type is Subject => Object.hasOwn(SUBJECTS, type)

/** listing.allow_list_changed → Listing allow list changed. */
export function inWords(name: string): string {
  const words = name
    .replaceAll(/[._]/g, ' ')
    .replace(/\bapi\b/g, 'API')
    .replace(/\bcsv\b/g, 'CSV')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const subjectHref = (type: string, id: string): string | null =>
  isKnown(type) ? (SUBJECTS[type]?.(id) ?? null) : null

/** The words of audit entries: their subjects and actions in the language of the page. */
export function auditWords(t: ReturnType<typeof useTranslations<'dashboard.audit'>>, locale: string) {
  const subjectInWords = (type: string): string => (isKnown(type) ? t(`subjects.${type}`) : inWords(type))

  /** English has the words of the code itself; elsewhere an action without a text keeps them. */
  function actionInWords(action: string): string {
    const [type = '', name = ''] = action.split('.')
    const key = `verbs.${name}` as 'verbs.updated'
    return locale === DEFAULT_LOCALE || !t.has(key)
      ? inWords(action)
      : t('entry', { subject: subjectInWords(type), verb: t(key) })
  }

  return { subjectInWords, actionInWords }
}
