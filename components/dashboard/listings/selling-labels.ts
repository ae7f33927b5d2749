import type { PAYMENT_PROVIDERS } from '@/lib/platform/api/listing-record'
import type { FULFILLMENT_METHODS, FULFILLMENT_STATUSES, INTENT_STATUSES } from '@/lib/platform/api/purchases'

// Labels of the API's values in the dashboard.

type Labels<Values extends readonly string[]> = Record<Values[number], string>

export const PROVIDER_LABELS = {
  CARD_PROVIDER: 'Card',
  MINT_VOUCHER: 'Crypto',
  EMAIL_CLAIM: 'Free, by email',
  ORGANIZATION: 'Free, to an address',
  BETA_FREE_MINT: 'Free, to an address (beta)',
} satisfies Labels<typeof PAYMENT_PROVIDERS>

export const PURCHASE_STATES = {
  PENDING: 'Not paid yet',
  CONFIRMED: 'Paid',
  EXPIRED: 'Ran out',
  CANCELLED: 'Given up',
  UNRESOLVED: 'Unresolved',
  REFUNDED: 'Refunded',
} satisfies Labels<typeof INTENT_STATUSES>

export const DELIVERIES = {
  PENDING: 'Not yet',
  ASSIGNED: 'On its way',
  COMPLETED: 'Delivered',
  EXCEPTION: 'Can’t be delivered',
} satisfies Labels<typeof FULFILLMENT_STATUSES>

export const DELIVERY_METHODS = {
  EMAIL: 'By email',
  TRANSFER: 'To an address',
  VOUCHER: 'Minted by the buyer',
} satisfies Labels<typeof FULFILLMENT_METHODS>

type Unresolved = {
  failure: string | null
  timeline: readonly { status: keyof typeof PURCHASE_STATES; detail: string | null }[]
}

/** Why a purchase needs a person: the reason recorded when it became unresolved, else its failure. */
export const whyUnresolved = ({ failure, timeline }: Unresolved): string =>
  timeline.find(({ status, detail }) => status === 'UNRESOLVED' && detail)?.detail ??
  failure ??
  'It was paid, and is neither delivered nor refunded.'

/** The entries of a table of labels, for a select. */
export const choicesOf = <Value extends string>(words: Record<Value, string>) =>
  Object.entries(words) as [Value, string][]
