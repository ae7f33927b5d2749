import type { Address, Hex } from 'viem'
import { useStored, writeStored } from '../../shared/browser-storage'

/** A transaction by which a wallet sends an item itself. Nobody else knows of it, so the browser keeps it until it has ended. */
export type OwnSend = {
  hash: Hex
  to: Address
  quantity: number
  /** Units that the wallet had before. */
  held: number
}

const nameOf = (from: Address, itemId: string) => `vitrine.sent.${from}.${itemId}`

export const rememberOwnSend = (from: Address, itemId: string, send: OwnSend | null): void =>
  writeStored(nameOf(from, itemId), send && JSON.stringify(send))

/** The transaction that sends this item from this wallet; null where there is none, or it can't be read. */
export function useOwnSend(from: Address, itemId: string): OwnSend | null {
  const stored = useStored(nameOf(from, itemId))
  try {
    const send: unknown = JSON.parse(stored ?? 'null')
    return typeof send === 'object' && send !== null && 'hash' in send && 'to' in send ? (send as OwnSend) : null
  } catch {
    return null
  }
}
