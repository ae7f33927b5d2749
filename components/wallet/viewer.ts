import type { Address } from 'viem'
import type { OpenWallet } from './open-wallet'

/** Who looks: with an open wallet, with one of the browser, or at any address. */
export type Viewer =
  { kind: 'own'; address: Address; wallet: OpenWallet } | { kind: 'connected' | 'watched'; address: Address }
