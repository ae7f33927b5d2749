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

/** The number in whole units, with all its decimals: never by way of a floating point number. 1999 with 2 decimals is "19.99". */
export function decimalOf(minor: bigint, decimals: number): string {
  const digits = (minor < 0n ? -minor : minor).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const sign = minor < 0n ? '-' : ''
  return decimals === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-decimals)}`
}

/** An amount of card money as providers write it: 1999 USD is "19.99", 1999 JPY is "1999". */
export const majorOf = (amountMinor: bigint, currency: Currency): string =>
  decimalOf(amountMinor, CURRENCIES[currency].decimals)

/** The platform's share of a sale, rounded down. */
export const feeOf = (totalMinor: bigint, feeBps: number): bigint => (totalMinor * BigInt(feeBps)) / 10_000n

/** An amount with its currency, for people: "$19.99", "0.05 ETH". `minor` is in the currency's smallest unit: cents, wei. */
export function amountOf(minor: string | bigint, currency: string, decimals: number): string {
  const exact = decimalOf(BigInt(minor), decimals)
  return isCardCurrency(currency) ? fiatAmount(exact, currency, decimals) : `${trimmed(exact)} ${currency}`
}

function fiatAmount(exact: string, currency: string, decimals: number): string {
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  // A string keeps every digit; the type of an older standard knows numbers only.
  return format.format(exact as unknown as number)
}

const trimmed = (exact: string) => (exact.includes('.') ? exact.replace(/\.?0+$/, '') : exact)
