import {
  concat,
  decodeAbiParameters,
  decodeErrorResult,
  decodeEventLog,
  decodeFunctionData,
  encodeFunctionData,
  getCreate2Address,
  isAddressEqual,
  keccak256,
  numberToHex,
  size,
  stringToHex,
  toEventSelector,
  toFunctionSelector,
  zeroAddress,
  type Abi,
  type AbiEvent,
  type AbiFunction,
  type Address,
  type Hex,
} from 'viem'
import { vitrine1155Abi, vitrine721Abi, vitrineFactoryAbi } from './abi.ts'

export type TokenType = 'ERC721' | 'ERC1155'

/** Everything a collection's contract begins with. It is part of the contract's code, and so of its address. */
export type CloneTerms = {
  tokenType: TokenType
  /** A UUID; the default metadata address is made from it. */
  collectionId: string
  name: string
  symbol: string
  /** Who may give roles and hand over the contract; the organization's address, or else the operator's. */
  owner: Address
  /** The operator that mints. */
  minter: Address
  /** The key that signs vouchers. */
  signer: Address
  /** null: any number. ERC-721 with automatic ids: the highest id; otherwise the number of units in the whole collection. */
  maxSupply: bigint | null
  /** Token ids are given at lock instead of counted up from 1. */
  manualIds: boolean
  soulbound: boolean
  /** null or the zero address: no royalty. */
  royaltyReceiver: Address | null
  royaltyBps: number
}

/** A signed permission to mint, as the contracts know it. Amounts in the currency's smallest unit, expiry in Unix seconds. */
export type MintVoucher = {
  /** Gets the token, whoever sends the voucher. */
  minter: Address
  netRecipient: Address
  initialRecipient: Address
  /** Of the voucher's total, what goes to initialRecipient; the rest is netRecipient's. */
  initialRecipientAmount: bigint
  /** Always 1 on ERC-721. */
  quantity: bigint
  /** Below 2^53; on ERC-1155 from the same sequence as request ids. */
  nonce: bigint
  expiry: bigint
  /** Of one unit. 0: both recipients are the zero address and nobody is paid. */
  price: bigint
  tokenId: bigint
  /** The zero address is the network's own coin. */
  currency: Address
}

/** The contracts' roles; an account's roles are their sum. */
export const ROLES = { MINTER: 1n, SIGNER: 2n } as const

const NO_MAX_SUPPLY = 2n ** 64n - 1n

// -------------------------------------------------------------------------------------------------------- deploying

/** The bytes that a clone carries behind its code. Their layout is written in contracts/src/VitrineToken.sol. */
export function encodeCloneArgs(terms: CloneTerms): Hex {
  if (terms.maxSupply !== null && (terms.maxSupply < 0n || terms.maxSupply >= NO_MAX_SUPPLY)) {
    throw new RangeError('The max supply must be below 2^64 - 1.')
  }
  if (terms.royaltyBps < 0 || terms.royaltyBps > 10_000) throw new RangeError('A royalty must be 0 to 10,000 basis points.')
  const receiver = terms.royaltyReceiver ?? zeroAddress
  const name = stringToHex(terms.name)
  const flags = (terms.soulbound ? 1 : 0) + (terms.manualIds ? 2 : 0)
  return lowerHex([
    numberToHex(flags, { size: 1 }),
    terms.minter,
    numberToHex(terms.maxSupply ?? NO_MAX_SUPPLY, { size: 8 }),
    terms.signer,
    terms.owner,
    uuidBytes(terms.collectionId),
    receiver,
    numberToHex(isAddressEqual(receiver, zeroAddress) ? 0 : terms.royaltyBps, { size: 2 }),
    numberToHex(size(name), { size: 2 }),
    name,
    stringToHex(terms.symbol),
  ])
}

/** The factory's salt of a collection. */
export function saltOf(collectionId: string): Hex {
  return concat([uuidBytes(collectionId), numberToHex(0, { size: 16 })])
}

/** Where the factory puts, or has put, a clone. */
export function cloneAddress(clone: { factory: Address; implementation: Address; salt: Hex; args: Hex }): Address {
  const code = cloneCode(clone.implementation, clone.args)
  const initCode = concat(['0x61', numberToHex(size(code), { size: 2 }), '0x3d81600a3d39f3', code])
  return getCreate2Address({ from: clone.factory, salt: clone.salt, bytecodeHash: keccak256(initCode) })
}

/** The code that stands at a clone's address once it is deployed, in lower case. */
export function cloneCode(implementation: Address, args: Hex): Hex {
  const before = '0x363d3d373d3d3d363d73'
  const after = '0x5af43d82803e903d91602b57fd5bf3'
  return lowerHex([before, implementation, after, args])
}

/** A call to the factory. Sent twice, the second one finds the clone and changes nothing. */
export function encodeCreate(clone: { implementation: Address; salt: Hex; args: Hex }): Hex {
  return encodeFunctionData({
    abi: vitrineFactoryAbi,
    functionName: 'create',
    args: [clone.implementation, clone.salt, clone.args],
  })
}

/** Joined, with checksummed addresses lowered, so that equal bytes are equal strings. */
function lowerHex(parts: readonly Hex[]): Hex {
  return concat(parts).toLowerCase() as Hex
}

function uuidBytes(uuid: string): Hex {
  const digits = uuid.replaceAll('-', '').toLowerCase()
  if (!/^[0-9a-f]{32}$/.test(digits)) throw new RangeError(`Not a UUID: ${uuid}.`)
  return `0x${digits}`
}

// ---------------------------------------------------------------------------------------------------------- minting

/**
 * Mints of one ERC-721 collection in one call. One alone reverts when its id exists, was burnt or is out of bounds; of many,
 * such a one is left out with MintSkipped. Receiving contracts aren't asked: do that before (`receiverQuestion`).
 */
export function encodeAdminMint721(mints: readonly { to: Address; tokenId: bigint }[]): Hex {
  const [first, ...others] = mints
  if (!first) throw new RangeError('There is nothing to mint.')
  if (others.length === 0) {
    return encodeFunctionData({ abi: vitrine721Abi, functionName: 'adminMint', args: [first.to, first.tokenId] })
  }
  const width = bytesFor(mints.map((mint) => mint.tokenId))
  const entries = mints.map((mint) => concat([mint.to, numberToHex(mint.tokenId, { size: width })]))
  const packed = lowerHex([numberToHex(width, { size: 1 }), ...entries])
  return encodeFunctionData({ abi: vitrine721Abi, functionName: 'adminMintMultiple', args: [packed] })
}

/** How many ids of an ERC-721 contract share a chunk of an owners' blob; a run within one chunk is cheapest. */
export const RUN_CHUNK = 128n

/** A run is at most this long, so that it fits into one transaction. */
export const LONGEST_RUN = 500

/**
 * Mints of one ERC-721 collection on consecutive ids in one call, at two thirds of the price (from about ten on). All of them or
 * none: it reverts when one id exists, was burnt or is out of bounds, or when a chunk holds eight runs already; then mint the
 * ordinary way. Receiving contracts aren't asked.
 * @param firstTokenId Every id is below 2^63.
 */
export function encodeAdminMintRun(firstTokenId: bigint, recipients: readonly Address[]): Hex {
  if (recipients.length === 0 || recipients.length > LONGEST_RUN) throw new RangeError('A run has 1 to 500 recipients.')
  return encodeFunctionData({ abi: vitrine721Abi, functionName: 'adminMintRun', args: [firstTokenId, lowerHex(recipients)] })
}

/**
 * Mints of one ERC-1155 collection in one call. One alone reverts when its receiver refuses, its request id was used or the
 * supply is spent; of many, such a one is left out with MintRefused.
 * @param mints `requestId` works once in the contract, for ever.
 */
export function encodeAdminMint1155(
  mints: readonly { to: Address; tokenId: bigint; amount: bigint; requestId: bigint }[],
): Hex {
  const [first, ...others] = mints
  if (!first) throw new RangeError('There is nothing to mint.')
  if (others.length === 0) {
    const args = [first.to, first.tokenId, first.amount, first.requestId] as const
    return encodeFunctionData({ abi: vitrine1155Abi, functionName: 'adminMint', args })
  }
  const idWidth = bytesFor(mints.map((mint) => mint.tokenId))
  const amountWidth = bytesFor(mints.map((mint) => mint.amount))
  const requestWidth = bytesFor(mints.map((mint) => mint.requestId))
  const entries = mints.map((mint) =>
    concat([
      mint.to,
      numberToHex(mint.tokenId, { size: idWidth }),
      numberToHex(mint.amount, { size: amountWidth }),
      numberToHex(mint.requestId, { size: requestWidth }),
    ]),
  )
  const widths = [idWidth, amountWidth, requestWidth].map((width) => numberToHex(width, { size: 1 }))
  const packed = lowerHex([...widths, ...entries])
  return encodeFunctionData({ abi: vitrine1155Abi, functionName: 'adminMintMultiple', args: [packed] })
}

/** The fewest bytes that hold each of these numbers. */
function bytesFor(values: bigint[]): number {
  const largest = values.reduce((a, b) => (b > a ? b : a), 1n)
  return Math.ceil(largest.toString(16).length / 2)
}

/**
 * The question a token contract asks a receiving contract, to be put by `eth_call` from the token contract's address. An
 * address without code is never asked, and answers nothing.
 */
export function receiverQuestion(
  tokenType: TokenType,
  mint: { operator: Address; tokenId: bigint; quantity: bigint },
): Hex {
  const { operator, tokenId, quantity } = mint
  if (tokenType === 'ERC721') {
    const args = [operator, zeroAddress, tokenId, '0x'] as const
    return encodeFunctionData({ abi: RECEIVER_ABI, functionName: 'onERC721Received', args })
  }
  const args = [operator, zeroAddress, tokenId, quantity, '0x'] as const
  return encodeFunctionData({ abi: RECEIVER_ABI, functionName: 'onERC1155Received', args })
}

/** Whether the answer to `receiverQuestion` accepts the token. */
export function isReceiverAnswer(tokenType: TokenType, answer: Hex): boolean {
  const expected = tokenType === 'ERC721' ? '0x150b7a02' : '0xf23a6e61'
  return answer.length >= 66 && answer.toLowerCase().startsWith(expected)
}

const RECEIVER_ABI = [
  {
    type: 'function',
    name: 'onERC721Received',
    stateMutability: 'nonpayable',
    inputs: [{ type: 'address' }, { type: 'address' }, { type: 'uint256' }, { type: 'bytes' }],
    outputs: [{ type: 'bytes4' }],
  },
  {
    type: 'function',
    name: 'onERC1155Received',
    stateMutability: 'nonpayable',
    inputs: [{ type: 'address' }, { type: 'address' }, { type: 'uint256' }, { type: 'uint256' }, { type: 'bytes' }],
    outputs: [{ type: 'bytes4' }],
  },
] as const

// --------------------------------------------------------------------------------------------------------- vouchers

const VOUCHER_TYPES = {
  MintVoucher: [
    { name: 'minter', type: 'address' },
    { name: 'netRecipient', type: 'address' },
    { name: 'initialRecipient', type: 'address' },
    { name: 'initialRecipientAmount', type: 'uint256' },
    { name: 'quantity', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'expiry', type: 'uint256' },
    { name: 'price', type: 'uint256' },
    { name: 'tokenId', type: 'uint256' },
    { name: 'currency', type: 'address' },
  ],
} as const

/** What a voucher's signer signs (EIP-712), as viem's and wallets' signTypedData take it. */
export function voucherTypedData(chainId: number, contract: Address, voucher: MintVoucher) {
  return {
    domain: { name: 'Vitrine', version: '1', chainId, verifyingContract: contract },
    types: VOUCHER_TYPES,
    primaryType: 'MintVoucher' as const,
    message: voucher,
  }
}

/**
 * Redeems a voucher; the same call on ERC-721 and ERC-1155. Send `voucherValue(voucher)` with it.
 * @param signature 64 or 65 bytes of a key, or a signing contract's address followed by its ERC-1271 signature.
 */
export function encodeMintWithVoucher(voucher: MintVoucher, signature: Hex): Hex {
  return encodeFunctionData({ abi: vitrine721Abi, functionName: 'mintWithVoucher', args: [voucher, signature] })
}

/** The wei that must accompany `mintWithVoucher`, exactly. */
export function voucherValue(voucher: MintVoucher): bigint {
  return isAddressEqual(voucher.currency, zeroAddress) ? voucher.price * voucher.quantity : 0n
}

/** The voucher in the data of a transaction, or null when that does anything but redeem one. */
export function decodeMintWithVoucher(data: Hex): { voucher: MintVoucher; signature: Hex } | null {
  try {
    const call = decodeFunctionData({ abi: vitrine721Abi, data })
    if (call.functionName !== 'mintWithVoucher') return null
    const [voucher, signature] = call.args
    return { voucher, signature }
  } catch {
    return null
  }
}

/** Makes a voucher void. For its minter, and for owner, minters and signers of the contract. */
export function encodeCancelVoucher(voucher: MintVoucher, signature: Hex): Hex {
  return encodeFunctionData({ abi: vitrine721Abi, functionName: 'cancelVoucher', args: [voucher, signature] })
}

// ------------------------------------------------------------------------------- settings, the same on both contracts

/** The zero address with 0 gives the token the collection's royalty again. */
export function encodeSetTokenRoyalty(tokenId: bigint, receiver: Address, basisPoints: number): Hex {
  const args = [tokenId, receiver, BigInt(basisPoints)] as const
  return encodeFunctionData({ abi: vitrine721Abi, functionName: 'setTokenRoyalty', args })
}

/** The zero address with 0 means no royalty. */
export function encodeSetDefaultRoyalty(receiver: Address, basisPoints: number): Hex {
  const args = [receiver, BigInt(basisPoints)] as const
  return encodeFunctionData({ abi: vitrine721Abi, functionName: 'setDefaultRoyalty', args })
}

/** A token's address is this and its decimal id; empty goes back to the default. */
export function encodeSetBaseUri(baseUri: string): Hex {
  return encodeFunctionData({ abi: vitrine721Abi, functionName: 'setBaseURI', args: [baseUri] })
}

/** Keeps the base URI as it is for ever. */
export function encodeLockBaseUri(): Hex {
  return encodeFunctionData({ abi: vitrine721Abi, functionName: 'lockBaseURI' })
}

/** Emits ERC-4906 updates on ERC-721, a URI event for each token on ERC-1155. */
export function encodeRefreshMetadata(fromTokenId: bigint, toTokenId: bigint): Hex {
  return encodeFunctionData({ abi: vitrine721Abi, functionName: 'refreshMetadata', args: [fromTokenId, toTokenId] })
}

/** Lowers the collection's max supply; raising it is refused. */
export function encodeSetMaxSupply(maxSupply: bigint): Hex {
  return encodeFunctionData({ abi: vitrine721Abi, functionName: 'setMaxSupply', args: [maxSupply] })
}

/** Lowers the number of units of one ERC-1155 token; raising it is refused. */
export function encodeSetTokenMaxSupply(tokenId: bigint, maxSupply: bigint): Hex {
  return encodeFunctionData({ abi: vitrine1155Abi, functionName: 'setTokenMaxSupply', args: [tokenId, maxSupply] })
}

/** Gives the account exactly these roles, the sum of ROLES; 0 takes all away. Only for the contract's owner. */
export function encodeSetRoles(account: Address, roles: bigint): Hex {
  return encodeFunctionData({ abi: vitrine721Abi, functionName: 'setRoles', args: [account, roles] })
}

/** Only for the contract's owner. */
export function encodeTransferOwnership(newOwner: Address): Hex {
  return encodeFunctionData({ abi: vitrine721Abi, functionName: 'transferOwnership', args: [newOwner] })
}

/** Refuses or accepts all vouchers of the contract; other mints go on. */
export function encodeSetVouchersPaused(paused: boolean): Hex {
  return encodeFunctionData({ abi: vitrine721Abi, functionName: 'setVouchersPaused', args: [paused] })
}

/** A transfer that asks a receiving contract. */
export function encodeTransfer721(from: Address, to: Address, tokenId: bigint): Hex {
  return encodeFunctionData({ abi: vitrine721Abi, functionName: 'safeTransferFrom', args: [from, to, tokenId] })
}

/** A transfer that asks nobody: like a mint of ours, it was asked before whether a contract takes the token. */
export function encodeTransferUnasked721(from: Address, to: Address, tokenId: bigint): Hex {
  return encodeFunctionData({ abi: vitrine721Abi, functionName: 'transferFrom', args: [from, to, tokenId] })
}

/** A transfer; the standard has a receiving contract asked. */
export function encodeTransfer1155(from: Address, to: Address, tokenId: bigint, amount: bigint): Hex {
  const args = [from, to, tokenId, amount, '0x'] as const
  return encodeFunctionData({ abi: vitrine1155Abi, functionName: 'safeTransferFrom', args })
}

// ------------------------------------------------------------------------------------------------------------- logs

export type TokenMove = {
  kind: 'MINT' | 'TRANSFER' | 'BURN'
  tokenId: bigint
  /** The zero address for a mint. */
  from: Address
  /** The zero address for a burn. */
  to: Address
  quantity: bigint
  /** Who did it; null on ERC-721, which doesn't say. */
  operator: Address | null
}

/** An event of a token contract in our words. */
export type TokenLog =
  | { type: 'MOVED'; moves: TokenMove[] }
  | { type: 'VOUCHER_REDEEMED'; nonce: bigint }
  | { type: 'VOUCHER_CANCELLED'; tokenId: bigint; nonce: bigint }
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

const FOLLOWED = [
  'Transfer',
  'TransferSingle',
  'TransferBatch',
  'VoucherRedeemed',
  'VoucherCancelled',
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

/** The first topics of all events that `decodeTokenLog` understands. */
export const TOKEN_LOG_TOPICS: readonly Hex[] = [...eventsByTopic]
  .filter(([, event]) => (FOLLOWED as readonly string[]).includes(event.name))
  .map(([topic]) => topic)

/**
 * An event of a token contract, ours or another's, in our words; null when it is none that we follow. It never throws, so
 * that no contract's odd event can stop an indexer.
 *
 * A redeemed voucher is known by its mint. ERC-721: the mint of the voucher's token to its minter (an id is minted once, so
 * its other vouchers are void with it); there is no event of its own, which saves the buyer 1,100 gas. ERC-1155:
 * VOUCHER_REDEEMED names the nonce, and the very next log of the transaction is its mint.
 */
export function decodeTokenLog(log: { topics: readonly Hex[]; data: Hex }): TokenLog | null {
  const [topic, ...rest] = log.topics
  const event = topic && eventsByTopic.get(topic.toLowerCase() as Hex)
  if (!topic || !event) return null
  try {
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

function moveOf(ends: { from: Address; to: Address }, tokenId: bigint, quantity: bigint, operator: Address | null): TokenMove {
  const { from, to } = ends
  const kind = isAddressEqual(from, zeroAddress) ? 'MINT' : isAddressEqual(to, zeroAddress) ? 'BURN' : 'TRANSFER'
  return { kind, tokenId, from, to, quantity, operator }
}

function royaltyOf(tokenId: bigint | null, royalty: { receiver: Address; basisPoints: bigint }): TokenLog {
  return { type: 'ROYALTY_SET', tokenId, receiver: royalty.receiver, basisPoints: Number(royalty.basisPoints) }
}

// ----------------------------------------------------------------------------------------------------- capabilities

const functionsByCapability = {
  ERC721: [
    'balanceOf',
    'ownerOf',
    'safeTransferFrom',
    'transferFrom',
    'approve',
    'setApprovalForAll',
    'getApproved',
    'isApprovedForAll',
  ],
  ERC721_METADATA: ['name', 'symbol', 'tokenURI'],
  ERC1155: [
    'balanceOf',
    'balanceOfBatch',
    'safeTransferFrom',
    'safeBatchTransferFrom',
    'setApprovalForAll',
    'isApprovedForAll',
  ],
  ERC1155_METADATA_URI: ['uri'],
  EIP165: ['supportsInterface'],
  ERC2981: ['royaltyInfo'],
  CONTRACT_ROYALTY: ['setDefaultRoyalty'],
  PER_TOKEN_ROYALTY: ['setTokenRoyalty'],
  CONTRACT_NAME_SYMBOL: ['name', 'symbol'],
  ADMIN_MINT_SINGLE: ['adminMint'],
  ADMIN_MINT_MULTIPLE: ['adminMintMultiple'],
  MINT_VOUCHER: ['mintWithVoucher', 'cancelVoucher', 'setVouchersPaused', 'vouchersPaused', 'voucherDigest', 'eip712Domain'],
  BURN_TOKEN: ['burn'],
  SET_BASE_URI: ['setBaseURI', 'baseURI', 'contractURI', 'refreshMetadata'],
  SET_BASE_URI_PERMANENT: ['lockBaseURI', 'baseURILocked'],
  SOULBOUND: ['soulbound', 'locked'],
  MANAGE_SUPPLY: ['maxSupply', 'setMaxSupply', 'tokenMaxSupply', 'setTokenMaxSupply', 'totalMinted'],
} as const satisfies Record<string, readonly (FunctionName721 | FunctionName1155)[]>

type FunctionName721 = Extract<(typeof vitrine721Abi)[number], { type: 'function' }>['name']
type FunctionName1155 = Extract<(typeof vitrine1155Abi)[number], { type: 'function' }>['name']

/** What a collection's contract can do. */
export type Capability = keyof typeof functionsByCapability

const only721: readonly Capability[] = ['ERC721', 'ERC721_METADATA']
const only1155: readonly Capability[] = ['ERC1155', 'ERC1155_METADATA_URI']

/** Each capability with the functions that make it up. Where the token types differ, both forms are listed. */
export const CAPABILITIES: Readonly<Record<Capability, readonly AbiFunction[]>> = Object.fromEntries(
  Object.entries(functionsByCapability).map(([name, functions]) => {
    const sources: Abi[] = []
    if (!only1155.includes(name as Capability)) sources.push(vitrine721Abi)
    if (!only721.includes(name as Capability)) sources.push(vitrine1155Abi)
    return [name, functionsOf(sources, functions)]
  }),
) as Record<Capability, AbiFunction[]>

/** What a collection's contract of ours can do, in a fixed order. */
export function capabilitiesOf(tokenType: TokenType, options: { soulbound: boolean }): Capability[] {
  const others = tokenType === 'ERC721' ? only1155 : only721
  return (Object.keys(functionsByCapability) as Capability[]).filter(
    (name) => !others.includes(name) && (name !== 'SOULBOUND' || options.soulbound),
  )
}

/** The named functions of these ABIs, each signature once. */
function functionsOf(abis: Abi[], names: readonly string[]): AbiFunction[] {
  const found = abis.flat().filter((part): part is AbiFunction => part.type === 'function' && names.includes(part.name))
  return [...new Map(found.map((part) => [toFunctionSelector(part), part])).values()]
}

// ------------------------------------------------------------------------------------------------------------ errors

type OwnError = Extract<
  (typeof vitrine721Abi | typeof vitrine1155Abi | typeof vitrineFactoryAbi)[number],
  { type: 'error' }
>['name']

const SENTENCES = {
  AccountBalanceOverflow: 'That address holds too many tokens of this collection.',
  AmountIsZero: 'The quantity must be at least 1.',
  ArrayLengthsMismatch: 'There must be as many amounts as token ids.',
  BalanceQueryForZeroAddress: 'The zero address holds nothing.',
  BaseURIIsLocked: 'The metadata address of this collection is locked for ever.',
  BlobNotStored: 'The run’s owners couldn’t be stored: it needs more gas.',
  ChunkIsFull: 'Too many runs lie side by side there. Mint these tokens one by one.',
  ImplementationMissing: 'The token contract to copy isn’t deployed on this network.',
  InitialRecipientAmountTooHigh: 'The fee exceeds the price.',
  InsufficientBalance: 'The sender doesn’t hold that many.',
  InvalidSignature: 'The voucher isn’t signed by a key that may sign for this collection.',
  MaxSupplyBelowMinted: 'More than that have been minted already.',
  MaxSupplyNotLower: 'The max supply can only be lowered.',
  MaxSupplyReached: 'The max supply is reached.',
  NotEnoughGas: 'The transaction needs more gas to ask its receivers.',
  NotOwnerNorApproved: 'Only the token’s owner, or whom the owner has approved, may do that.',
  OwnerIsZeroAddress: 'The new owner can’t be the zero address.',
  RequestIsUsed: 'This mint request was carried out before.',
  RoyaltyReceiverMissing: 'A royalty needs a receiver.',
  RoyaltyTooHigh: 'A royalty can’t exceed 100 %.',
  TokenAlreadyExists: 'This token was minted before.',
  TokenDoesNotExist: 'There is no such token.',
  TokenIsBurnt: 'This token was burnt and can’t be minted again.',
  TokenIsSoulbound: 'Tokens of this collection can’t be transferred.',
  TransferFromIncorrectOwner: 'The token has another owner.',
  TransferToNonERC1155ReceiverImplementer: 'The receiving contract doesn’t accept this token.',
  TransferToNonERC721ReceiverImplementer: 'The receiving contract doesn’t accept this token.',
  TransferToZeroAddress: 'A token can’t go to the zero address.',
  Unauthorized: 'The sender isn’t allowed to do that on this contract.',
  UnknownRole: 'There is no such role.',
  ValueNotAccepted: 'This call takes no payment.',
  VoucherIsCancelled: 'This voucher was cancelled.',
  VoucherIsExpired: 'This voucher has expired.',
  VoucherIsUsed: 'This voucher was used or cancelled before.',
  VouchersArePaused: 'Minting with vouchers is paused for this collection.',
  WrongNonce: 'The voucher’s number is out of bounds.',
  WrongPacking: 'The list of mints isn’t packed as it should be.',
  WrongPayee: 'The voucher names no one who could be paid.',
  WrongPayment: 'The payment must be exactly the voucher’s price.',
  WrongQuantity: 'A voucher for a unique item has quantity 1.',
  WrongRange: 'The first token id must not exceed the last.',
} as const satisfies Record<OwnError, string>

/** Errors of the code that the contracts stand on; it throws them without declaring them. */
const LIBRARY_SENTENCES: Record<Hex, string> = {
  [toFunctionSelector('TransferFromFailed()')]: 'The payment token refused the transfer: is the amount there and approved?',
  [toFunctionSelector('ETHTransferFailed()')]: 'The payment couldn’t be passed on.',
  [toFunctionSelector('DeploymentFailed()')]: 'The contract couldn’t be deployed.',
}

const errorAbi = [...vitrine721Abi, ...vitrine1155Abi, ...vitrineFactoryAbi].filter((part) => part.type === 'error')

/** Why a call reverted, as a sentence for people. `data` is what the call returned, or an error's selector alone. */
export function revertReason(data: Hex | null | undefined): string {
  if (!data || size(data) < 4) return 'The contract refused without giving a reason.'
  const selector = data.slice(0, 10).toLowerCase() as Hex
  const library = LIBRARY_SENTENCES[selector]
  if (library) return library
  if (selector === '0x08c379a0') return textReason(data)
  if (selector === '0x4e487b71') return 'The contract met an amount or a state that it can’t work with.'
  try {
    // A bare selector has no arguments to decode, so that enough zeros stand in for them.
    const { errorName } = decodeErrorResult({ abi: errorAbi, data: concat([data, `0x${'00'.repeat(32)}`]) })
    return SENTENCES[errorName as OwnError]
  } catch {
    return `The contract refused with the error ${selector}.`
  }
}

/** The reason of a plain `require`. */
function textReason(data: Hex): string {
  try {
    const [text] = decodeAbiParameters([{ type: 'string' }], `0x${data.slice(10)}`)
    return `The contract refused: ${text.trim().replace(/\.?$/, '.')}`
  } catch {
    return 'The contract refused without giving a reason.'
  }
}
