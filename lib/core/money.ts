import { formatTagOf } from './format-tag.ts'
import type { Locale } from './locales.ts'

/**
 * Currencies that cards can be charged in. Amounts are in minor units everywhere: cents, pence, and whole yen, which
 * has none. `minMinor` and `maxMinor` bound one charge (Stripe's minimum and maximum charge amounts).
 */
export const CURRENCIES = {
  USD: { decimals: 2, minMinor: 50n, maxMinor: 99_999_999n },
  EUR: { decimals: 2, minMinor: 50n, maxMinor: 99_999_999n },
  GBP: { decimals: 2, minMinor: 30n, maxMinor: 99_999_999n },
  JPY: { decimals: 0, minMinor: 50n, maxMinor: 99_999_999n },
} as const satisfies Record<string, { decimals: number; minMinor: bigint; maxMinor: bigint }>

export type Currency = keyof typeof CURRENCIES

export const isCardCurrency = (code: string): code is Currency => Object.hasOwn(CURRENCIES, code)

/**
 * The amount in whole units with all its decimals, computed without floating point. 1999 with 2 decimals is "19.99".
 */
export function decimalOf(minor: bigint, decimals: number): string {
  const digits = (minor < 0n ? -minor : minor).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const sign = minor < 0n ? '-' : ''
  return decimals === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-decimals)}`
}

/** The amount in whole units, without zeros at the end, cut off after `maxPlaces` decimals. */
export function shortDecimalOf(minor: bigint, decimals: number, maxPlaces = decimals): string {
  const unit = 10n ** BigInt(Math.max(0, decimals - maxPlaces))
  const exact = decimalOf((minor / unit) * unit, decimals)
  return exact.includes('.') ? exact.replace(/\.?0+$/, '') : exact
}

/**
 * Parses an amount written in whole units, as "12.50"; null when it isn't a number or has more decimals than the
 * currency.
 */
export function minorOf(written: string, decimals: number): bigint | null {
  const found = /^(\d{1,60})(?:\.(\d+))?$/.exec(written.trim())
  if (!found) return null
  const [, whole = '', fraction = ''] = found
  const significant = fraction.replace(/0+$/, '')
  return significant.length > decimals ? null : BigInt(whole + significant.padEnd(decimals, '0'))
}

/** A card amount in whole units of its currency: 1999 USD is "19.99", 1999 JPY is "1999". */
export const majorOf = (amountMinor: bigint, currency: Currency): string =>
  decimalOf(amountMinor, CURRENCIES[currency].decimals)

/** The platform's fee of a sale in minor units, rounded down. */
export const feeOf = (totalMinor: bigint, feeBps: number): bigint => (totalMinor * BigInt(feeBps)) / 10_000n

/**
 * An amount with its currency, for people: "$19.99", "0.05 ETH", in German "19,99 $", "0,05 ETH". `minor` is in the
 * smallest unit: cents, wei.
 */
export function amountOf(minor: string | bigint, currency: string, decimals: number, locale: Locale = 'en'): string {
  return isCardCurrency(currency)
    ? fiatAmount(decimalOf(BigInt(minor), decimals), currency, decimals, locale)
    : `${shortDecimalOf(BigInt(minor), decimals).replace('.', marksOf(locale)('decimal'))} ${currency}`
}

/** Money in English is written as in the United States, unlike dates: "$", not "US$". */
const tagOf = (locale: Locale): string => (locale === 'en' ? locale : formatTagOf(locale))

const PLACES = 4
const DIGITS_OF_SMALL = 2

/**
 * A sum for people to read at a glance, rounded: "0.0100 ETH" of 0.010026345678901256. Amounts below that keep two
 * digits: "0.000012 ETH".
 */
export function roundedAmountOf(
  minor: string | bigint,
  currency: string,
  decimals: number,
  locale: Locale = 'en',
): string {
  if (isCardCurrency(currency)) return amountOf(minor, currency, decimals, locale)
  const value = BigInt(minor)
  const digits = (value < 0n ? -value : value).toString().length
  const firstPlace = decimals - digits + 1
  const places = Math.min(decimals, value !== 0n && firstPlace > PLACES ? firstPlace + DIGITS_OF_SMALL - 1 : PLACES)
  const unit = 10n ** BigInt(decimals - places)
  const half = (value < 0n ? -unit : unit) / 2n
  const [whole = '', fraction = ''] = decimalOf((value + half) / unit, places).split('.')
  const mark = marksOf(locale)
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, mark('group'))
  return `${grouped}${fraction && `${mark('decimal')}${fraction}`} ${currency}`
}

/**
 * The marks of a language between thousands and before decimals. Numbers aren't formatted by Intl: older browsers round
 * digits of coins away.
 */
function marksOf(locale: Locale): (which: 'group' | 'decimal') => string {
  const parts = new Intl.NumberFormat(tagOf(locale), { useGrouping: 'always' }).formatToParts(12_345.6)
  return (which) => parts.find(({ type }) => type === which)?.value ?? ''
}

function fiatAmount(exact: string, currency: string, decimals: number, locale: Locale): string {
  const format = new Intl.NumberFormat(tagOf(locale), {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  // A string keeps every digit; the type declares numbers only.
  return format.format(exact as unknown as number)
}
