import { getAddress, isAddress } from 'viem'
import type { Address } from 'viem'

/** The fault of a typed address, as a key of `wallet.address`. */
type AddressFault = 'missing' | 'name' | 'otherNetwork' | 'noPrefix' | 'notHex' | 'length' | 'nobody' | 'checksum'

export type AddressCheck =
  | {
      ok: true
      address: Address
      /** It has no checksum, so a typing mistake would go unnoticed. */
      unchecked: boolean
    }
  | { ok: false; fault: AddressFault; digits: number }
  | { ok: false; fault: null; problem: string | null }

/** Whether a text may be an ENS name, such as alice.eth. */
export const isName = (text: string): boolean => /^[^\s./]+(\.[^\s./]+)*\.[^\s./\d][^\s./]+$/.test(text.trim())

/** The answer for a name: its address, or the sentence that says why it has none. */
export type NamedAddress = { name: string } & ({ address: Address } | { problem: string })

/**
 * Checks a name that a person typed. It counts as an address only once the address of this very name was found, and so
 * shown.
 */
export function checkTypedName(name: string, found: NamedAddress | null): AddressCheck {
  if (found?.name !== name) return { ok: false, fault: null, problem: null }
  return 'address' in found
    ? { ok: true, address: found.address, unchecked: false }
    : { ok: false, fault: null, problem: found.problem }
}

/**
 * An address as wallets and explorers copy it: with a network's short name (ERC-3770) or a URI's scheme (ERC-681)
 * before it, and a network behind it.
 */
const MARKED = /^(?:([a-z0-9-]+):)?(0x[0-9a-f]*)(?:@([^.\s@]*))?$/i

/** Whether a text is an address with a network behind it, and not a mailbox. */
export const namesNetwork = (text: string): boolean => MARKED.exec(text.trim())?.[3] !== undefined

/** Names of Ethereum, whose addresses are taken on any network. */
const ETHEREUM = new Set(['eth', 'ethereum'])

/**
 * Checks an address that a person typed or pasted. Mixed case is a checksum (EIP-55) and must be right. `networkId`:
 * the item's network, where there is one. An address that names another one is refused: that of a contract belongs to
 * somebody else elsewhere, or to nobody.
 */
export function checkTypedAddress(text: string, networkId: number | null = null): AddressCheck {
  const [, before, address, behind] = MARKED.exec(text.trim()) ?? []
  const written = address ?? text.trim()
  const digits = written.slice(2)
  const not = (fault: AddressFault) => ({ ok: false as const, fault, digits: digits.length })
  if (!written) return not('missing')
  if (/\.eth$/i.test(written)) return not('name')
  const isMeant = (network: string) => network !== '' && Number(network.replace(/^eip155:/i, '')) === networkId
  if (before !== undefined && !ETHEREUM.has(before.toLowerCase())) return not('otherNetwork')
  if (behind !== undefined && !isMeant(behind)) return not('otherNetwork')
  if (!/^0x/i.test(written)) return not('noPrefix')
  if (/[^0-9a-f]/i.test(digits)) return not('notHex')
  if (digits.length !== 40) return not('length')
  const plain: Address = `0x${digits}`
  if (/^0x0{40}$/.test(plain)) return not('nobody')
  const unchecked = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  if (!unchecked && !isAddress(plain, { strict: true })) {
    return not('checksum')
  }
  return { ok: true, address: getAddress(plain.toLowerCase()), unchecked }
}
