import { decodeEventLog, getAddress, toEventSelector, zeroAddress, type AbiEvent, type Address, type Hex } from 'viem'
import { vitrine1155Abi, vitrine721Abi } from './abi.ts'
import { revertReason } from './revert-reason.ts'

type TokenMove = {
  kind: 'MINT' | 'TRANSFER' | 'BURN'
  tokenId: bigint
  /** The zero address for a mint. */
  from: Address
  /** The zero address for a burn. */
  to: Address
  quantity: bigint
  /** The account that moved it; null on ERC-721, whose events don't name it. */
  operator: Address | null
}

/** A decoded event of a token contract, the same for both token types. */
export type TokenLog =
  | { type: 'MOVED'; moves: TokenMove[] }
  | { type: 'VOUCHER_REDEEMED'; nonce: bigint }
  | { type: 'VOUCHER_CANCELLED'; tokenId: bigint; nonce: bigint }
  /** The next log of the transaction is the transfer. */
  | { type: 'TRANSFER_NONCE_USED'; from: Address; nonce: bigint; tokenId: bigint }
  | { type: 'TRANSFER_NONCE_CANCELLED'; from: Address; nonce: bigint }
  | { type: 'MINT_SKIPPED'; tokenId: bigint }
  | { type: 'MINT_REFUSED'; requestId: bigint; reason: string }
  /** tokenId null: the collection's. */
  | { type: 'ROYALTY_SET'; tokenId: bigint | null; receiver: Address; basisPoints: number }
  | { type: 'MAX_SUPPLY_SET'; tokenId: bigint | null; maxSupply: bigint }
  | { type: 'BASE_URI_SET'; baseUri: string }
  | { type: 'BASE_URI_LOCKED'; baseUri: string }
  | { type: 'METADATA_CHANGED'; fromTokenId: bigint; toTokenId: bigint }
  | { type: 'VOUCHERS_PAUSED_SET'; paused: boolean }
  | { type: 'ROLES_SET'; account: Address; roles: bigint }
  | { type: 'OWNER_SET'; from: Address; to: Address }

type TokenEvent = Extract<(typeof vitrine721Abi | typeof vitrine1155Abi)[number], { type: 'event' }>

const allEvents = [...vitrine721Abi, ...vitrine1155Abi].filter((part): part is TokenEvent => part.type === 'event')
const eventsByTopic = new Map<Hex, TokenEvent>(allEvents.map((event) => [toEventSelector(event as AbiEvent), event]))

const INDEXED_EVENTS = [
  'Transfer',
  'TransferSingle',
  'TransferBatch',
  'VoucherRedeemed',
  'VoucherCancelled',
  'TransferNonceUsed',
  'TransferNonceCancelled',
  'MintSkipped',
  'MintRefused',
  'DefaultRoyaltySet',
  'TokenRoyaltySet',
  'MaxSupplySet',
  'TokenMaxSupplySet',
  'BaseURISet',
  'BaseURILocked',
  'MetadataUpdate',
  'BatchMetadataUpdate',
  'URI',
  'VouchersPausedSet',
  'RolesSet',
  'OwnershipTransferred',
] as const satisfies readonly TokenEvent['name'][]

const topicsOf = (names: readonly string[]): readonly Hex[] =>
  [...eventsByTopic].filter(([, event]) => names.includes(event.name)).map(([topic]) => topic)

/** The first topics of all events that `decodeTokenLog` decodes. */
export const TOKEN_LOG_TOPICS = topicsOf(INDEXED_EVENTS)

/** Those of METADATA_CHANGED. */
export const METADATA_TOPICS = topicsOf([
  'MetadataUpdate',
  'BatchMetadataUpdate',
  'URI',
] satisfies readonly (typeof INDEXED_EVENTS)[number][])

/**
 * Decodes an event of a token contract, ours or a foreign one; null for an event that we don't index. It never throws,
 * so that a malformed event of a foreign contract can't stop the indexer.
 *
 * A redeemed voucher is recognised by its mint. ERC-721: the mint of the voucher's token to its minter (an id is minted
 * once, so its other vouchers become void); there is no event for it, which saves the buyer 1,100 gas. ERC-1155:
 * VOUCHER_REDEEMED names the nonce, and the next log of the transaction is its mint.
 */
export function decodeTokenLog(log: { topics: readonly Hex[]; data: Hex }): TokenLog | null {
  const [topic, ...rest] = log.topics
  const event = topic && eventsByTopic.get(topic.toLowerCase() as Hex)
  if (!topic || !event) return null
  try {
    const move = moveIn(event.name, rest, log.data)
    if (move) return { type: 'MOVED', moves: [move] }
    const decoded = decodeEventLog({ abi: [event] as const, topics: [topic, ...rest], data: log.data, strict: true })
    return translate(decoded as DecodedEvent)
  } catch {
    return null
  }
}

type DecodedEvent =
  | { eventName: 'Transfer'; args: { from: Address; to: Address; id: bigint } }
  | { eventName: 'TransferSingle'; args: { operator: Address; from: Address; to: Address; id: bigint; amount: bigint } }
  | {
      eventName: 'TransferBatch'
      args: { operator: Address; from: Address; to: Address; ids: readonly bigint[]; amounts: readonly bigint[] }
    }
  | { eventName: 'VoucherRedeemed'; args: { nonce: bigint } }
  | { eventName: 'VoucherCancelled'; args: { tokenId: bigint; nonce: bigint } }
  | { eventName: 'TransferNonceUsed'; args: { from: Address; nonce: bigint; tokenId: bigint } }
  | { eventName: 'TransferNonceCancelled'; args: { from: Address; nonce: bigint } }
  | { eventName: 'MintSkipped'; args: { id: bigint } }
  | { eventName: 'MintRefused'; args: { requestId: bigint; reason: Hex } }
  | { eventName: 'DefaultRoyaltySet'; args: { receiver: Address; basisPoints: bigint } }
  | { eventName: 'TokenRoyaltySet'; args: { tokenId: bigint; receiver: Address; basisPoints: bigint } }
  | { eventName: 'MaxSupplySet'; args: { maxSupply: bigint } }
  | { eventName: 'TokenMaxSupplySet'; args: { tokenId: bigint; maxSupply: bigint } }
  | { eventName: 'BaseURISet'; args: { baseURI: string } }
  | { eventName: 'BaseURILocked'; args: { baseURI: string } }
  | { eventName: 'MetadataUpdate'; args: { _tokenId: bigint } }
  | { eventName: 'BatchMetadataUpdate'; args: { _fromTokenId: bigint; _toTokenId: bigint } }
  | { eventName: 'URI'; args: { value: string; id: bigint } }
  | { eventName: 'VouchersPausedSet'; args: { paused: boolean } }
  | { eventName: 'RolesSet'; args: { account: Address; roles: bigint } }
  | { eventName: 'OwnershipTransferred'; args: { previousOwner: Address; newOwner: Address } }

function translate(event: DecodedEvent): TokenLog | null {
  switch (event.eventName) {
    case 'Transfer':
      return { type: 'MOVED', moves: [moveOf(event.args, event.args.id, 1n, null)] }
    case 'TransferSingle':
      return { type: 'MOVED', moves: [moveOf(event.args, event.args.id, event.args.amount, event.args.operator)] }
    case 'TransferBatch': {
      const { ids, amounts, operator } = event.args
      if (ids.length !== amounts.length) return null
      return { type: 'MOVED', moves: ids.map((id, index) => moveOf(event.args, id, amounts[index]!, operator)) }
    }
    case 'VoucherRedeemed':
      return { type: 'VOUCHER_REDEEMED', nonce: event.args.nonce }
    case 'VoucherCancelled':
      return { type: 'VOUCHER_CANCELLED', tokenId: event.args.tokenId, nonce: event.args.nonce }
    case 'TransferNonceUsed':
      return { type: 'TRANSFER_NONCE_USED', ...event.args }
    case 'TransferNonceCancelled':
      return { type: 'TRANSFER_NONCE_CANCELLED', ...event.args }
    case 'MintSkipped':
      return { type: 'MINT_SKIPPED', tokenId: event.args.id }
    case 'MintRefused':
      return { type: 'MINT_REFUSED', requestId: event.args.requestId, reason: revertReason(event.args.reason) }
    case 'DefaultRoyaltySet':
      return royaltyOf(null, event.args)
    case 'TokenRoyaltySet':
      return royaltyOf(event.args.tokenId, event.args)
    case 'MaxSupplySet':
      return { type: 'MAX_SUPPLY_SET', tokenId: null, maxSupply: event.args.maxSupply }
    case 'TokenMaxSupplySet':
      return { type: 'MAX_SUPPLY_SET', tokenId: event.args.tokenId, maxSupply: event.args.maxSupply }
    case 'BaseURISet':
      return { type: 'BASE_URI_SET', baseUri: event.args.baseURI }
    case 'BaseURILocked':
      return { type: 'BASE_URI_LOCKED', baseUri: event.args.baseURI }
    case 'MetadataUpdate':
      return { type: 'METADATA_CHANGED', fromTokenId: event.args._tokenId, toTokenId: event.args._tokenId }
    case 'BatchMetadataUpdate':
      return { type: 'METADATA_CHANGED', fromTokenId: event.args._fromTokenId, toTokenId: event.args._toTokenId }
    case 'URI':
      return { type: 'METADATA_CHANGED', fromTokenId: event.args.id, toTokenId: event.args.id }
    case 'VouchersPausedSet':
      return { type: 'VOUCHERS_PAUSED_SET', paused: event.args.paused }
    case 'RolesSet':
      return { type: 'ROLES_SET', account: event.args.account, roles: event.args.roles }
    case 'OwnershipTransferred':
      return { type: 'OWNER_SET', from: event.args.previousOwner, to: event.args.newOwner }
    default:
      return null
  }
}

const WORD = 66

/**
 * The move of a log of one token, read by its places, since most logs are such. null: another event, or not of the
 * usual form.
 */
function moveIn(name: string, topics: readonly Hex[], data: Hex): TokenMove | null {
  if (topics.length !== 3 || topics.some(({ length }) => length !== WORD)) return null
  const [first, second, third] = topics as [Hex, Hex, Hex]
  if (name === 'Transfer') return moveOf({ from: addressIn(first), to: addressIn(second) }, BigInt(third), 1n, null)
  if (name !== 'TransferSingle' || data.length !== 2 * WORD - 2) return null
  const ends = { from: addressIn(second), to: addressIn(third) }
  return moveOf(ends, BigInt(data.slice(0, WORD)), BigInt(`0x${data.slice(WORD)}`), addressIn(first))
}

const addressIn = (word: Hex): Address => getAddress(`0x${word.slice(-40)}`)

function moveOf(
  ends: { from: Address; to: Address },
  tokenId: bigint,
  quantity: bigint,
  operator: Address | null,
): TokenMove {
  const { from, to } = ends
  const kind = from === zeroAddress ? 'MINT' : to === zeroAddress ? 'BURN' : 'TRANSFER'
  return { kind, tokenId, from, to, quantity, operator }
}

function royaltyOf(tokenId: bigint | null, royalty: { receiver: Address; basisPoints: bigint }): TokenLog {
  return { type: 'ROYALTY_SET', tokenId, receiver: royalty.receiver, basisPoints: Number(royalty.basisPoints) }
}
