import { isCardCurrency } from '@/lib/core/money'

/** A price as people read it. `minor` is in the currency's smallest unit: cents, wei. */
export function amountOf(minor: string | bigint, currency: string, decimals: number): string {
  const exact = decimalOf(BigInt(minor), decimals)
  return isCardCurrency(currency) ? fiatAmount(exact, currency, decimals) : `${trimmed(exact)} ${currency}`
}

/** The number in whole units, with all its decimals: never by way of a floating point number. */
export function decimalOf(minor: bigint, decimals: number): string {
  const digits = (minor < 0n ? -minor : minor).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const sign = minor < 0n ? '-' : ''
  return decimals === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-decimals)}`
}

function fiatAmount(exact: string, currency: string, decimals: number): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, minimumFractionDigits: decimals, maximumFractionDigits: decimals })
  // A string keeps every digit; the type of an older standard knows numbers only.
  return format.format(exact as unknown as number)
}

const trimmed = (exact: string) => (exact.includes('.') ? exact.replace(/\.?0+$/, '') : exact)
