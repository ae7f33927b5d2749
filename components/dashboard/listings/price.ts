/** A price as somebody writes it, in the currency's smallest unit; null when it is none, or finer than the currency is. */
export function minorOf(written: string, decimals: number): bigint | null {
  const found = /^(\d{1,60})(?:\.(\d+))?$/.exec(written.trim())
  if (!found) return null
  const [, whole = '', fraction = ''] = found
  const kept = fraction.replace(/0+$/, '')
  return kept.length > decimals ? null : BigInt(whole + kept.padEnd(decimals, '0'))
}

/** What is wrong with a price, for the field it was typed in. */
export const priceProblem = (decimals: number, currency: string): string =>
  decimals === 0
    ? `Write a whole number: ${currency} has nothing smaller.`
    : `Write a number such as 12.50, with at most ${decimals} digits after the point.`
