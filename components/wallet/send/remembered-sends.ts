import type { Address, Hex } from 'viem'
import { useStored, writeStored } from '../../shared/browser-storage'

/** A transaction by which a wallet sends an item itself. Nobody else knows of it. */
export type OwnSend = {
  hash: Hex
  to: Address
  quantity: number
  /** Units that the wallet had before. */
  held: number
}

/** What is under way of an item, as the browser keeps it until its end was seen: a transfer that the organization sends, or the holder's own transaction. */
export type RememberedSend = { transferId: string } | OwnSend

const nameOf = (from: Address, itemId: string) => `vitrine.sent.${from}.${itemId}`

/** null forgets it. */
export const rememberSend = (from: Address, itemId: string, send: RememberedSend | null): void =>
  writeStored(nameOf(from, itemId), send && JSON.stringify(send))

/** null where nothing is under way, or it can't be read. */
export function useRememberedSend(from: Address, itemId: string): RememberedSend | null {
  const stored = useStored(nameOf(from, itemId))
  try {
    const send: unknown = JSON.parse(stored ?? 'null')
    if (typeof send !== 'object' || send === null) return null
    return 'transferId' in send || ('hash' in send && 'to' in send) ? (send as RememberedSend) : null
  } catch {
    return null
  }
}
