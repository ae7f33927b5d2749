import type { Address, Hex } from 'viem'

/** An unlocked wallet. It is held in the page's memory only. */
export type OpenWallet =
  | {
      kind: 'passkey'
      key: Hex
      address: Address
      credentialId: string
      backedUp: boolean
      /** Of the copy that a passkey which was added opened; null for the first passkey, which needs none. */
      copyId: string | null
    }
  | { kind: 'file'; key: Hex; address: Address }
