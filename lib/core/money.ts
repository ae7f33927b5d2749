import { formatUnits } from 'viem'

/**
 * What cards can be charged in. Amounts are in minor units everywhere: cents, pence, and whole yen, which have no smaller one.
 * `least` and `most` are what the card providers take for one charge.
 */
export const CURRENCIES = {
  USD: { decimals: 2, least: 50n, most: 99_999_999n },
  EUR: { decimals: 2, least: 50n, most: 99_999_999n },
  GBP: { decimals: 2, least: 30n, most: 99_999_999n },
  JPY: { decimals: 0, least: 50n, most: 99_999_999n },
} as const satisfies Record<string, { decimals: number; least: bigint; most: bigint }>

export type Currency = keyof typeof CURRENCIES

export const isCardCurrency = (code: string): code is Currency => Object.hasOwn(CURRENCIES, code)

/** An amount as people write it: 1999 USD is "19.99", 1999 JPY is "1999". */
export function majorOf(amountMinor: bigint, currency: Currency): string {
  const { decimals } = CURRENCIES[currency]
  if (decimals === 0) return amountMinor.toString()
  const digits = amountMinor.toString().padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** The platform's share of a sale, rounded down. */
export const feeOf = (totalMinor: bigint, feeBps: number): bigint => (totalMinor * BigInt(feeBps)) / 10_000n

/** An amount with its currency, for people: "19.99 USD", "0.05 ETH". */
export const amountOf = (amountMinor: bigint, currency: string, decimals: number): string =>
  `${isCardCurrency(currency) ? majorOf(amountMinor, currency) : formatUnits(amountMinor, decimals)} ${currency}`
