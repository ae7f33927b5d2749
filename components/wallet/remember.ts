import type { Address } from 'viem'

/** What this browser may keep about the wallet made in it: nothing secret. */
export type RememberedWallet =
  | { address: Address; kind: 'passkey'; credentialId: string; fileSaved: boolean }
  | { address: Address; kind: 'file' }

const place = 'vitrine.wallet'

export function rememberWallet(wallet: RememberedWallet): void {
  write(place, JSON.stringify(wallet))
}

export function rememberedWallet(): RememberedWallet | null {
  try {
    const stored: unknown = JSON.parse(read(place) ?? 'null')
    if (typeof stored !== 'object' || stored === null || !('address' in stored) || !('kind' in stored)) return null
    return stored as RememberedWallet
  } catch {
    return null
  }
}

/** Storage may be forbidden, as in some private windows; then nothing is kept and everything still works. */
export function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

export function write(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // Nothing is kept.
  }
}
