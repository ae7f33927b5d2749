import type { Address } from 'viem'

/** What this browser may keep about the wallet made in it: nothing secret. */
export type RememberedWallet =
  { address: Address; kind: 'passkey'; credentialId: string; fileSaved: boolean } | { address: Address; kind: 'file' }

export const walletPlace = 'vitrine.wallet'

export function rememberWallet(wallet: RememberedWallet): void {
  write(walletPlace, JSON.stringify(wallet))
}

export const rememberedWallet = (): RememberedWallet | null => walletIn(read(walletPlace))

/** The wallet in what was kept; null when there is none or it can't be read. */
export function walletIn(kept: string | null): RememberedWallet | null {
  try {
    const stored: unknown = JSON.parse(kept ?? 'null')
    if (typeof stored !== 'object' || stored === null || !('address' in stored) || !('kind' in stored)) return null
    return stored as RememberedWallet
  } catch {
    return null
  }
}

/** Storage may be forbidden, as in some private windows: then things are kept as long as the page lives. */
const inMemory = new Map<string, string>()
const listeners = new Set<() => void>()

export function read(name: string): string | null {
  try {
    return localStorage.getItem(name) ?? inMemory.get(name) ?? null
  } catch {
    return inMemory.get(name) ?? null
  }
}

export function write(name: string, value: string | null): void {
  inMemory.delete(name)
  try {
    if (value === null) localStorage.removeItem(name)
    else localStorage.setItem(name, value)
  } catch {
    if (value !== null) inMemory.set(name, value)
  }
  for (const listener of listeners) listener()
}

/** Calls back when something was kept or forgotten, here or in another tab. Returns how to stop that. */
export function listen(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}
