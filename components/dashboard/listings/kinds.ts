import type { PAYMENT_PROVIDERS } from '@/lib/platform/api/listing-record'

export type Kind = 'card' | 'crypto' | 'free'

type Provider = (typeof PAYMENT_PROVIDERS)[number]

/** The kinds of sale that the listing form offers, in its order, each with its providers; the first is preselected. */
export const PROVIDERS = {
  card: ['CARD_PROVIDER'],
  crypto: ['MINT_VOUCHER'],
  free: ['EMAIL_CLAIM', 'ORGANIZATION'],
} as const satisfies Record<Kind, readonly [Provider, ...Provider[]]>

export const KIND_NAMES = Object.keys(PROVIDERS) as Kind[]
