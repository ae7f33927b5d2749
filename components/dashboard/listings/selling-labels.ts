import type { PAYMENT_PROVIDERS } from '@/lib/platform/api/listing-record'

// Labels of the API's values in the dashboard.

type Labels<Values extends readonly string[]> = Record<Values[number], string>

export const PROVIDER_LABELS = {
  CARD_PROVIDER: 'Card',
  MINT_VOUCHER: 'Crypto',
  EMAIL_CLAIM: 'Free, by email',
  ORGANIZATION: 'Free, to an address',
  BETA_FREE_MINT: 'Free, to an address (beta)',
} satisfies Labels<typeof PAYMENT_PROVIDERS>

/** The entries of a table of labels, for a select. */
export const choicesOf = <Value extends string>(words: Record<Value, string>) =>
  Object.entries(words) as [Value, string][]
