import type { Address, Hex } from 'viem'

/** An unlocked wallet. It lives in this page's memory only, and is gone with it. */
export type OpenWallet =
  | { kind: 'passkey'; key: Hex; address: Address; credentialId: string; backedUp: boolean }
  | { kind: 'file'; key: Hex; address: Address }
