import { bytesToHex, getAddress } from 'viem'
import type { Address, Hex } from 'viem'
import { signedTransferTypedData, type SignedTransfer } from '@/lib/core/contracts/signed-transfers'
import type { Answer } from '@/lib/platform/api/endpoint'
import type { waitForTransfer } from '@/lib/platform/api/changes'
import type * as transfers from '@/lib/platform/api/transfers'
import { Problem } from '@/packages/client/src/call'
import { api, failureSentence, route } from '../../shared/api'
import type { AskVersion } from '../../shared/use-changes'
import type { WalletItemInFull } from '../items'

const termsRoute = route<typeof transfers.getTransferTerms>('GET', '/public/v1/transfer-terms')
const createRoute = route<typeof transfers.createTransfer>('POST', '/public/v1/transfers')
const changesRoute = route<typeof waitForTransfer>('GET', '/public/v1/transfers/{transfer_id}/changes')
const getRoute = route<typeof transfers.getTransfer>('GET', '/public/v1/transfers/{transfer_id}')

export type Terms = Answer<typeof transfers.getTransferTerms>
export type Transfer = Answer<typeof transfers.getTransfer>

/** How an item can be sent and who pays; with `to`, also what to know of the receiver. */
export const getTerms = (item: WalletItemInFull, from: Address, to: Address | null = null): Promise<Terms> =>
  api(termsRoute, {
    query: { collection_id: item.collection_id, token_id: item.token_id, from_address: from, to_address: to },
  })

export const getTransfer = (id: string): Promise<Transfer> => api(getRoute, { params: { transfer_id: id } })

export const askTransferVersion =
  (id: string): AskVersion =>
  (query, signal) =>
    api(changesRoute, { params: { transfer_id: id }, query }, { signal })

/** What a signature permits is over after an hour; until then the transfer waits where it can't be sent at once. */
const VALID_SECONDS = 3600

/** A transfer to sign. Its nonce is random, so that no other one has it. */
export const newOrder = (
  item: WalletItemInFull,
  { from, to, quantity }: Pick<SignedTransfer, 'from' | 'to' | 'quantity'>,
): SignedTransfer => ({
  tokenId: BigInt(item.token_id),
  quantity,
  from,
  to,
  nonce: BigInt(bytesToHex(crypto.getRandomValues(new Uint8Array(32)))),
  deadline: BigInt(Math.floor(Date.now() / 1000) + VALID_SECONDS),
})

export const typedDataOf = (item: WalletItemInFull, order: SignedTransfer) =>
  signedTransferTypedData(item.token_type, item.network_id, getAddress(item.collection.contract), order)

/** To whom an item goes: an address, or the operator that keeps it for a mailbox. */
export type Receiver = { to: Address; email: string | null }

/** A signed transfer as the API takes it. */
export const signedOf = (
  item: WalletItemInFull,
  order: SignedTransfer,
  { email, signature }: Pick<Receiver, 'email'> & { signature: Hex },
) => ({
  collection_id: item.collection_id,
  token_id: String(order.tokenId),
  ...(item.token_type === 'ERC1155' && { quantity: Number(order.quantity) }),
  from_address: order.from,
  to_address: order.to,
  ...(email !== null && { email }),
  nonce: String(order.nonce),
  deadline: Number(order.deadline),
  signature,
})

export type Signed = ReturnType<typeof signedOf>

/** Has a signed transfer sent. It may be asked for again: the same request gives the same transfer. */
export const requestTransfer = (signed: Signed): Promise<Transfer> => api(createRoute, { body: signed })

/** Why a transfer failed, for its holder. */
export const FAILURES = {
  expired: 'It wasn’t sent in time. Nothing was moved and nothing was paid: you still have it.',
  nonce_used: 'What you signed was used or cancelled in another way, so it moves nothing any more.',
  not_owner: 'It had left your wallet before it was sent: it was sold, or sent in another way.',
  receiver_refused: 'The receiver is a contract that doesn’t take it. You still have it.',
  signature_refused: 'Your wallet no longer confirms that it signed this. You still have it.',
  too_much_gas: 'The receiver makes it too expensive to send. You still have it.',
  reverted: 'The network turned it down. You still have it.',
} satisfies Record<transfers.TransferFailure, string>

const REFUSALS: Record<string, string> = {
  not_owner: 'By the network’s word your wallet doesn’t have it any more: it was sold, or sent in another way.',
  nonce_used: 'What you signed was used before. Send it once more.',
  expired: 'The time of this device seems to be wrong. Set its clock, then send it once more.',
  too_late: 'The time of this device seems to be wrong. Set its clock, then send it once more.',
  not_custodian: 'Who keeps it until it is taken has changed meanwhile. Send it once more.',
}

/** Why a transfer wasn't taken, for its holder. */
export function refusalSentence(failure: unknown): string {
  // Waiting an hour, as after too many requests, would be of no use.
  if (failure instanceof Problem && failure.body.reason === 'mailbox_limit') return failure.detail
  const reason = failure instanceof Problem && failure.code === 'transfer_refused' ? failure.fields[0]?.code : undefined
  return (reason !== undefined && REFUSALS[reason]) || failureSentence(failure)
}

/** Why an item can't be sent to an email address, with what to do; null where it can. `refusal`: why its holder pays the fee. */
export function emailProblemOf(item: WalletItemInFull, terms: Terms, refusal: string | null): string | null {
  if (item.token_type === 'ERC1155')
    return 'Only items that exist once can be kept for an email, and there are several of this one. Send it to an address.'
  if (!terms.signed)
    return 'The contract of this collection is of an older kind, which can’t send to an email. Send it to an address.'
  if (!terms.escrow) return 'Nothing can be kept for an email on this network right now. Send it to an address.'
  if (refusal === null) return null
  return `It can go to an email only while ${item.organization.name} pays the network fee. ${refusal}`
}

/** What to know of a receiver before anything is sent to it; null where there is nothing, or it can't be found out now. */
export async function warningAbout(item: WalletItemInFull, from: Address, to: Address): Promise<string | null> {
  const { receiver } = await getTerms(item, from, to).catch(() => ({ receiver: null }))
  if (receiver?.is_organizations_own)
    return `This address belongs to ${item.organization.name}, which made it, or is its contract. Whatever goes there is theirs.`
  if (receiver?.is_contract)
    return 'This address belongs to a contract. Use it only if it is somebody’s wallet, such as a smart account: from any other contract the item can’t be taken out again.'
  return null
}
