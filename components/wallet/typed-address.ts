import { getAddress, isAddress } from 'viem'
import type { Address } from 'viem'
import { isEmail } from '../shared/is-email'

export type AddressCheck =
  | {
      ok: true
      address: Address
      /** It has no checksum, so a typing mistake would go unnoticed. */
      unchecked: boolean
    }
  | { ok: false; reason: string }

/** Whether a text may be an ENS name, such as alice.eth. */
export const isName = (text: string): boolean => /^[^\s./]+(\.[^\s./]+)*\.[^\s./\d][^\s./]+$/.test(text.trim())

/** Why what was typed can't be used as an email address; null where it can. */
export const emailFault = (text: string): string | null =>
  isEmail(text) ? null : 'This isn’t a whole email address. One looks like ada@example.com.'

/** What was found for a name: its address, or the sentence that says why it has none. */
export type NamedAddress = { name: string } & ({ address: Address } | { problem: string })

/** Checks a name that a person typed. It counts as an address only once the address of this very name was found, and so shown. */
export function checkTypedName(name: string, found: NamedAddress | null): AddressCheck {
  if (found?.name !== name) return { ok: false, reason: '' }
  return 'address' in found
    ? { ok: true, address: found.address, unchecked: false }
    : { ok: false, reason: found.problem }
}

/** Checks an address that a person typed or pasted. Mixed case is a checksum (EIP-55) and must be right. */
export function checkTypedAddress(text: string): AddressCheck {
  const written = text.trim()
  if (!written) return { ok: false, reason: 'Paste an address first.' }
  if (/\.eth$/i.test(written))
    return { ok: false, reason: 'Names can’t be used here. Paste the address itself: it starts with 0x.' }
  if (!/^0x/i.test(written)) return { ok: false, reason: 'An address starts with 0x.' }
  const digits = written.slice(2)
  if (/[^0-9a-f]/i.test(digits))
    return { ok: false, reason: 'After 0x an address has only the digits 0 to 9 and the letters a to f.' }
  if (digits.length !== 40) {
    return { ok: false, reason: `An address has 40 characters after 0x; this one has ${digits.length}.` }
  }
  const plain: Address = `0x${digits}`
  if (/^0x0{40}$/.test(plain)) return { ok: false, reason: 'Nobody owns this address. What is sent there is lost.' }
  const unchecked = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  if (!unchecked && !isAddress(plain, { strict: true })) {
    return { ok: false, reason: 'A character of this address is wrong. Copy it once more.' }
  }
  return { ok: true, address: getAddress(plain.toLowerCase()), unchecked }
}
