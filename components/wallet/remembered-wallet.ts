import type { Address } from 'viem'
import { readStored, useStored, writeStored } from '../shared/browser-storage'

/** The facts that this browser stores about the wallet made in it: nothing secret. */
export type RememberedWallet =
  { address: Address; kind: 'passkey'; credentialId: string; fileSaved: boolean } | { address: Address; kind: 'file' }

const STORED_NAME = 'vitrine.wallet'

export function rememberWallet(wallet: RememberedWallet): void {
  writeStored(STORED_NAME, JSON.stringify(wallet))
}

export const rememberedWallet = (): RememberedWallet | null => parseWallet(readStored(STORED_NAME))

/** The remembered wallet, following every change. Null on the server. */
export const useRememberedWallet = (): RememberedWallet | null => parseWallet(useStored(STORED_NAME))

/** Null when there is none or it can't be read. */
function parseWallet(stored: string | null): RememberedWallet | null {
  try {
    const wallet: unknown = JSON.parse(stored ?? 'null')
    if (typeof wallet !== 'object' || wallet === null || !('address' in wallet) || !('kind' in wallet)) return null
    return wallet as RememberedWallet
  } catch {
    return null
  }
}
