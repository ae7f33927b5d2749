import type { Address, Hex } from 'viem'

/** An unlocked wallet. It is held in the page's memory only. */
export type OpenWallet =
  | { kind: 'passkey'; key: Hex; address: Address; credentialId: string; backedUp: boolean }
  | { kind: 'file'; key: Hex; address: Address }
