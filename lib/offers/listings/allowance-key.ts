import type { ListingAllowance } from '../../../generated/prisma/client.ts'

type Identity = Pick<ListingAllowance, 'kind' | 'identity'>

/** What lower-case email addresses are made of. As digits of a number from 1 on they take 5.5 bits each, so that 254 of them fit into a cursor. */
const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789.@-_+'"
const BASE = BigInt(LETTERS.length + 1)

/** An entry of an allow list as a key of that list, a byte for each character: `A` and the address, or `E` and the packed email. */
export function keyOfAllowance({ kind, identity }: Identity): string {
  if (kind === 'ADDRESS') return `A${identity}`
  let number = 0n
  for (const letter of identity) {
    const digit = LETTERS.indexOf(letter) + 1
    if (digit === 0) throw new Error('An allow list has an email with a letter that no email has.')
    number = number * BASE + BigInt(digit)
  }
  const hex = number.toString(16)
  return `E${Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex').toString('latin1')}`
}

export function allowanceOfKey(key: string): Identity {
  const packed = key.slice(1)
  if (key.startsWith('A')) return { kind: 'ADDRESS', identity: packed }
  const letters: string[] = []
  for (let rest = BigInt(`0x${Buffer.from(packed, 'latin1').toString('hex')}`); rest > 0n; rest /= BASE)
    letters.push(LETTERS[Number(rest % BASE) - 1]!)
  return { kind: 'EMAIL', identity: letters.reverse().join('') }
}
