import type { LISTING_STATUSES, PAYMENT_PROVIDERS, POLICY_TYPES } from '@/lib/platform/api/listing-record'

// Labels of the API's values in the dashboard.

type Labels<Values extends readonly string[]> = Record<Values[number], string>

export const LISTING_STATES = {
  DRAFT: 'Draft',
  SCHEDULED: 'Scheduled',
  ACTIVE: 'On sale',
  PAUSED: 'Paused',
  COMPLETE: 'Sold',
  CANCELLED: 'Cancelled',
  EXPIRED: 'Ended',
} satisfies Labels<typeof LISTING_STATUSES>

export const PROVIDER_LABELS = {
  CARD_PROVIDER: 'Card',
  MINT_VOUCHER: 'Crypto',
  EMAIL_CLAIM: 'Free, by email',
  ORGANIZATION: 'Free, to an address',
  BETA_FREE_MINT: 'Free, to an address (beta)',
} satisfies Labels<typeof PAYMENT_PROVIDERS>

export const POLICIES = {
  FCFS: 'Anybody',
  ALLOW_LIST: 'Those on a list',
  SNAPSHOT: 'Holders in a snapshot',
} satisfies Labels<typeof POLICY_TYPES>

/** The entries of a table of labels, for a select. */
export const choicesOf = <Value extends string>(words: Record<Value, string>) =>
  Object.entries(words) as [Value, string][]
