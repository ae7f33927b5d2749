import {
  concat,
  encodeFunctionData,
  getCreate2Address,
  isAddressEqual,
  keccak256,
  numberToHex,
  size,
  stringToHex,
  zeroAddress,
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
export const CONSECUTIVE_BATCH_CHUNK = 128n

/** A run is at most this long, so that it fits into one transaction. */
export const MAX_CONSECUTIVE_BATCH = 500

/**
 * Mints of one ERC-721 collection on consecutive ids in one call, at two thirds of the price (from about ten on). All of them or
 * none: it reverts when one id exists, was burnt or is out of bounds, or when a chunk holds eight runs already; then mint the
 * ordinary way. Receiving contracts aren't asked.
 * @param firstTokenId Every id is below 2^63.
 */
export function encodeAdminMintConsecutive(firstTokenId: bigint, recipients: readonly Address[]): Hex {
  if (recipients.length === 0 || recipients.length > MAX_CONSECUTIVE_BATCH) throw new RangeError('A run has 1 to 500 recipients.')
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
export function encodeReceiverCall(
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
export function isReceiverAcceptance(tokenType: TokenType, answer: Hex): boolean {
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

/** A transfer that asks nobody: like a mint of ours, it was asked before whether a contract takes the token. */
export function encodeTransfer721(from: Address, to: Address, tokenId: bigint): Hex {
  return encodeFunctionData({ abi: vitrine721Abi, functionName: 'transferFrom', args: [from, to, tokenId] })
}

/** A transfer; the standard has a receiving contract asked. */
export function encodeTransfer1155(from: Address, to: Address, tokenId: bigint, amount: bigint): Hex {
  const args = [from, to, tokenId, amount, '0x'] as const
  return encodeFunctionData({ abi: vitrine1155Abi, functionName: 'safeTransferFrom', args })
}
