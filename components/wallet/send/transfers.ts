import { bytesToHex, getAddress } from 'viem'
import type { Address, Hex } from 'viem'
import { signedTransferTypedData, type SignedTransfer } from '@/lib/core/contracts/signed-transfers'
import type { Answer } from '@/lib/platform/api/endpoint'
import type { waitForTransfer } from '@/lib/platform/api/changes'
import type * as transfers from '@/lib/platform/api/transfers'
import type { Problem } from '@/packages/client/src/call'
import { api, route } from '../../shared/api'
import { serverNow } from '../../shared/server-clock'
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

/**
 * The seconds for which a signature is valid: an hour. Until then the transfer waits where it can't be sent at once.
 */
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
  deadline: BigInt(Math.floor(serverNow() / 1000) + VALID_SECONDS),
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

/**
 * The refusals of a transfer by the API, by the code of its problem or of the field at fault, as keys of
 * `ownWallet.send.problems`.
 */
const REFUSALS = {
  address_suppressed: 'mailboxStopped',
  address_cannot_receive: 'notTaken',
  signature_invalid: 'notConfirmed',
  not_owner: 'not_owner',
  nonce_used: 'nonce_used',
  not_custodian: 'not_custodian',
  expired: 'overdue',
  too_late: 'overdue',
} as const

const isRefusal = (code: string | undefined): code is keyof typeof REFUSALS =>
  code !== undefined && Object.hasOwn(REFUSALS, code)

/** Why the API took no transfer, as a key of `ownWallet.send.problems`; null for what any call may fail with. */
export function refusalOf({ code, body, fields: [field] }: Problem) {
  // Waiting an hour, as after too many requests, would be of no use.
  if (body.reason === 'mailbox_limit') return 'mailboxLimit'
  if (code !== 'transfer_refused') return isRefusal(code) ? REFUSALS[code] : null
  return isRefusal(field?.code) ? REFUSALS[field.code] : 'reverted'
}

/** Why an item can't be sent to an email address, as a key of `ownWallet.send.noEmail`; null where it can. */
export function emailFaultOf({ token_type: tokenType }: WalletItemInFull, terms: Terms, holderPays: boolean) {
  if (tokenType === 'ERC1155') return 'several'
  if (!terms.signed) return 'oldContract'
  if (!terms.escrow) return 'notHere'
  return holderPays ? 'notPaid' : null
}

/**
 * A warning about a receiver before anything is sent to it, as a key of `ownWallet.send.warnings`. null: there is none,
 * or it can't be found out now.
 */
export async function warningAbout(item: WalletItemInFull, from: Address, to: Address) {
  const { receiver } = await getTerms(item, from, to).catch(() => ({ receiver: null }))
  if (receiver?.is_organizations_own) return 'organizationsOwn'
  return receiver?.is_contract ? 'contract' : null
}
