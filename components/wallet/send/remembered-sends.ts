import type { Address, Hex } from 'viem'
import { useStored, useStoredUnder, writeStored } from '../../shared/browser-storage'

/** A transaction by which a wallet sends an item itself. Nobody else knows of it. */
export type OwnSend = {
  hash: Hex
  to: Address
  quantity: number
  /** Units that the wallet had before. */
  held: number
}

/**
 * A transfer that the organization sends. `mailbox`: for whom and what it is, which nobody else tells while the wallet
 * doesn't have it.
 */
export type AskedSend = { transferId: string; mailbox?: { email: string; title: string; seller: string } }

/**
 * A sending of an item that is under way, as the browser keeps it until its end was seen: a transfer that the
 * organization sends, or the holder's own transaction.
 */
export type RememberedSend = AskedSend | OwnSend

const nameOf = (from: Address, itemId: string) => `vitrine.sent.${from}.${itemId}`

/** null forgets it. */
export const rememberSend = (from: Address, itemId: string, send: RememberedSend | null): void =>
  writeStored(nameOf(from, itemId), send && JSON.stringify(send))

/** null where nothing is under way, or it can't be read. */
export const useRememberedSend = (from: Address, itemId: string): RememberedSend | null =>
  sendIn(useStored(nameOf(from, itemId)))

/** The items that an address has sent to mailboxes and that are under way. */
export const useSentToMailboxes = (from: Address): (NonNullable<AskedSend['mailbox']> & { itemId: string })[] =>
  useStoredUnder(nameOf(from, '')).flatMap(([itemId, stored]) => {
    const send = sendIn(stored)
    return send && 'transferId' in send && send.mailbox ? [{ ...send.mailbox, itemId }] : []
  })

function sendIn(stored: string | null): RememberedSend | null {
  try {
    const send: unknown = JSON.parse(stored ?? 'null')
    if (typeof send !== 'object' || send === null) return null
    return 'transferId' in send || ('hash' in send && 'to' in send) ? (send as RememberedSend) : null
  } catch {
    return null
  }
}
