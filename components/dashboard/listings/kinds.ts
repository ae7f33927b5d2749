import type { PAYMENT_PROVIDERS } from '@/lib/platform/api/listing-record'

export type Kind = 'card' | 'crypto' | 'free'

type KindFacts = {
  label: string
  hint: string
  /** What the buyer's button says. */
  button: string
  /** The providers to choose from; the first is preselected. */
  providers: readonly [(typeof PAYMENT_PROVIDERS)[number], ...(typeof PAYMENT_PROVIDERS)[number][]]
}

/** The kinds of sale that the listing form offers, in its order. */
export const KINDS = {
  card: {
    label: 'They pay by card',
    hint: 'In dollars, euros, pounds or yen. The money goes to your own account at the card provider.',
    button: 'Pay by card',
    providers: ['CARD_PROVIDER'],
  },
  crypto: {
    label: 'They pay with a wallet',
    hint: 'In the network’s coin or a token. The money goes straight to your payout address, in the same transaction that mints the item.',
    button: 'Pay with a wallet',
    providers: ['MINT_VOUCHER'],
  },
  free: {
    label: 'It is free',
    hint: 'We pay for the transaction.',
    button: 'Get it',
    providers: ['EMAIL_CLAIM', 'ORGANIZATION'],
  },
} as const satisfies Record<Kind, KindFacts>

export const KIND_NAMES = Object.keys(KINDS) as Kind[]
