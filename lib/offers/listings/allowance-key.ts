import type { ListingAllowance } from '../../../generated/prisma/client.ts'

type Identity = Pick<ListingAllowance, 'kind' | 'identity'>

/**
 * The letters of nearly all lower-case email addresses. As digits of a number from 1 on they take 5.5 bits each, so
 * that 254 of them fit into a cursor.
 */
const USUAL = "abcdefghijklmnopqrstuvwxyz0123456789.@-_+'"
/**
 * The letters that all other email addresses have before their @: 64 at most, so that they fit into a cursor together
 * with a domain of the letters in `DOMAIN`.
 */
const LOCAL = "abcdefghijklmnopqrstuvwxyz0123456789.!#$%&'*+/=?^_`{|}~-"
const DOMAIN = 'abcdefghijklmnopqrstuvwxyz0123456789.-'

/**
 * An entry of an allow list as a key of that list, a byte for each character: `A` and the address, `E` and the packed
 * email, or `M` and one of unusual letters.
 */
export function keyOfAllowance({ kind, identity }: Identity): string {
  if (kind === 'ADDRESS') return `A${identity}`
  if ([...identity].every((letter) => USUAL.includes(letter))) return `E${bytesOf(packed(0n, identity, USUAL))}`
  const at = identity.lastIndexOf('@')
  const local = packed(0n, identity.slice(0, at), LOCAL)
  // The digit 0 stands for the @.
  return `M${bytesOf(packed(local * baseOf(DOMAIN), identity.slice(at + 1), DOMAIN))}`
}

export function allowanceOfKey(key: string): Identity {
  const [kind, content] = [key[0], key.slice(1)]
  if (kind === 'A') return { kind: 'ADDRESS', identity: content }
  const number = BigInt(`0x${Buffer.from(content, 'latin1').toString('hex')}`)
  if (kind === 'E') return { kind: 'EMAIL', identity: unpacked(number, USUAL).text }
  const domain = unpacked(number, DOMAIN)
  return { kind: 'EMAIL', identity: `${unpacked(domain.rest, LOCAL).text}@${domain.text}` }
}

const baseOf = (letters: string): bigint => BigInt(letters.length + 1)

/** A number with digits behind it, each of them a letter's place from 1 on. */
function packed(before: bigint, text: string, letters: string): bigint {
  let number = before
  for (const letter of text) {
    const digit = letters.indexOf(letter) + 1
    if (digit === 0) throw new Error('An allow list has an email with a letter that no email has.')
    number = number * baseOf(letters) + BigInt(digit)
  }
  return number
}

/** The letters of a number's last digits, up to the digit 0, and what is before that. */
function unpacked(number: bigint, letters: string): { text: string; rest: bigint } {
  const base = baseOf(letters)
  const found: string[] = []
  let rest = number
  for (; rest % base > 0n; rest /= base) found.push(letters[Number(rest % base) - 1]!)
  return { text: found.reverse().join(''), rest: rest / base }
}

function bytesOf(number: bigint): string {
  const hex = number.toString(16)
  return Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex').toString('latin1')
}
