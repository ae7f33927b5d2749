import type { CardFields } from '@/packages/client/src/sandbox'

/** The fault of a field, as a key of `purchase.card.faults`. */
export type CardFault = 'numberMissing' | 'numberWrong' | 'expiryWrong' | 'expired' | 'cvcWrong'

type Faults = Record<'number' | 'expiry' | 'cvc', CardFault | null>
export type CardCheck = { ok: true; card: CardFields } | ({ ok: false } & Faults)

/** Validates the fields of a card. Nothing of it is stored. */
export function checkCard(written: { number: string; expiry: string; cvc: string }, now: number): CardCheck {
  const number = written.number.replace(/[\s-]/g, '')
  const cvc = written.cvc.trim()
  const expiry = expiryIn(written.expiry)
  const wrong: Faults = {
    number: /^\d{12,19}$/.test(number) && passesLuhn(number) ? null : number ? 'numberWrong' : 'numberMissing',
    expiry: expiry ? (isOver(expiry, now) ? 'expired' : null) : 'expiryWrong',
    cvc: /^\d{3,4}$/.test(cvc) ? null : 'cvcWrong',
  }
  if (!expiry || wrong.number || wrong.expiry || wrong.cvc) return { ok: false, ...wrong }
  return { ok: true, card: { number, month: String(expiry.month), year: String(expiry.year), cvc } }
}

/** The checksum of card numbers (Luhn). */
function passesLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

function expiryIn(written: string): { month: number; year: number } | null {
  const found = /^\s*(\d{1,2})\s*[/\- ]?\s*(\d{2}|\d{4})\s*$/.exec(written)
  const [month, year] = [Number(found?.[1]), Number(found?.[2])]
  if (!found || month < 1 || month > 12) return null
  return { month, year: year < 100 ? 2000 + year : year }
}

const isOver = ({ month, year }: { month: number; year: number }, now: number) =>
  Date.UTC(year, month, 1) <= now - 86_400_000

/** `4242424242424242` in groups of four. */
export const grouped = (number: string) =>
  number
    .replace(/\D/g, '')
    .slice(0, 19)
    .replace(/(\d{4})(?=\d)/g, '$1 ')

/** `0429` as `04/29`; a slash that is being deleted stays deleted. */
export function slashed(written: string, before: string): string {
  const digits = written.replace(/[^\d/]/g, '')
  if (/^\d{2}$/.test(digits) && before.length < 2) return `${digits}/`
  return /^\d{3,4}$/.test(digits) ? `${digits.slice(0, 2)}/${digits.slice(2)}` : digits.slice(0, 7)
}
