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
import { CONSECUTIVE_ID_LIMIT } from './last-chunk.ts'

export type TokenType = 'ERC721' | 'ERC1155'

/**
 * The initial settings of a collection's contract. They are part of the clone's code, and so of its CREATE2 address.
 */
export type CloneTerms = {
  tokenType: TokenType
  /** A UUID; the default metadata address is made from it. */
  collectionId: string
  name: string
  symbol: string
  /** May set roles and transfer ownership: the organization's address, else the operator's. */
  owner: Address
  /** The operator that mints. */
  minter: Address
  /** The key that signs vouchers. */
  signer: Address
  /**
   * null: any number. ERC-721 with automatic ids: the highest id; otherwise the number of units in the whole
   * collection.
   */
  maxSupply: bigint | null
  /** Token ids are chosen when an item is locked instead of counted up from 1. */
  manualIds: boolean
  soulbound: boolean
  /** null or the zero address: no royalty. */
  royaltyReceiver: Address | null
  royaltyBps: number
}

/** The contracts' roles as bits; an account's roles are their sum. */
export const ROLES = { MINTER: 1n, SIGNER: 2n } as const

const NO_MAX_SUPPLY = 2n ** 64n - 1n

// -------------------------------------------------------------------------------------------------------- deploying

/**
 * The immutable arguments that follow a clone's code, laid out as contracts/src/VitrineToken.sol describes. Throws
 * RangeError for a max supply of 2^64 - 1 or more, or a royalty outside 0 to 10,000 basis points.
 */
export function encodeCloneArgs(terms: CloneTerms): Hex {
  if (terms.maxSupply !== null && (terms.maxSupply < 0n || terms.maxSupply >= NO_MAX_SUPPLY)) {
    throw new RangeError('The max supply must be below 2^64 - 1.')
  }
  if (terms.royaltyBps < 0 || terms.royaltyBps > 10_000)
    throw new RangeError('A royalty must be 0 to 10,000 basis points.')
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

/** The salt the factory deploys a collection with: its UUID and 16 zero bytes. */
export function saltOf(collectionId: string): Hex {
  return concat([uuidBytes(collectionId), numberToHex(0, { size: 16 })])
}

/** The address at which the factory deploys a clone (CREATE2, EIP-1014), deployed or not. */
export function cloneAddress(clone: { factory: Address; implementation: Address; salt: Hex; args: Hex }): Address {
  const code = cloneCode(clone.implementation, clone.args)
  const initCode = concat(['0x61', numberToHex(size(code), { size: 2 }), '0x3d81600a3d39f3', code])
  return getCreate2Address({ from: clone.factory, salt: clone.salt, bytecodeHash: keccak256(initCode) })
}

/** The runtime code of a deployed clone (ERC-1167 with arguments), in lower case. */
export function cloneCode(implementation: Address, args: Hex): Hex {
  const before = '0x363d3d373d3d3d363d73'
  const after = '0x5af43d82803e903d91602b57fd5bf3'
  return lowerHex([before, implementation, after, args])
}

/** Calls the factory's `create`. It is safe to send twice: the second call finds the clone and changes nothing. */
export function encodeCreate(clone: { implementation: Address; salt: Hex; args: Hex }): Hex {
  return encodeFunctionData({
    abi: vitrineFactoryAbi,
    functionName: 'create',
    args: [clone.implementation, clone.salt, clone.args],
  })
}

/** Concatenated in lower case, so that equal bytes are equal strings whatever the checksums. */
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
 * Mints of one ERC-721 collection in one call. A single mint reverts when its id exists, was burnt or is out of bounds;
 * of several, such a mint is skipped with a MintSkipped event. Receiving contracts are not called: check them before
 * (`encodeReceiverCall`).
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

/** The most mints of a consecutive batch, so that it fits into one transaction. */
const MAX_CONSECUTIVE_BATCH = 500

/**
 * Mints of one ERC-721 collection on consecutive ids in one call, for about two thirds of the gas from ten mints on.
 * All or none: it reverts when one id exists, was burnt or is out of bounds, or when a chunk of 128 ids has eight
 * consecutive batches already; mint with `encodeAdminMint721` then. Receiving contracts are not called.
 * @param firstTokenId every id must be below CONSECUTIVE_ID_LIMIT.
 * @param recipients one for each id, at most MAX_CONSECUTIVE_BATCH.
 */
export function encodeAdminMintConsecutive(firstTokenId: bigint, recipients: readonly Address[]): Hex {
  if (recipients.length === 0 || recipients.length > MAX_CONSECUTIVE_BATCH)
    throw new RangeError('A consecutive batch has 1 to 500 recipients.')
  if (firstTokenId < 0n || firstTokenId + BigInt(recipients.length) > CONSECUTIVE_ID_LIMIT)
    throw new RangeError('An id is too large for a consecutive batch.')
  return encodeFunctionData({
    abi: vitrine721Abi,
    functionName: 'adminMintRun',
    args: [firstTokenId, lowerHex(recipients)],
  })
}

/**
 * Mints of one ERC-1155 collection in one call. A single mint reverts when its receiver refuses, its request id was
 * used or the max supply is reached; of several, such a mint is skipped with a MintRefused event.
 * @param mints the contract accepts each `requestId` once, so a repeated call can't mint twice.
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

/** The number of bytes that the largest of these numbers needs. */
function bytesFor(values: bigint[]): number {
  const largest = values.reduce((a, b) => (b > a ? b : a), 1n)
  return Math.ceil(largest.toString(16).length / 2)
}

/**
 * The call by which a token contract asks a receiving contract to accept a token (ERC-721, ERC-1155). Send it by
 * `eth_call` from the token contract's address, to addresses with code only.
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

/** Whether a receiver's return value accepts the token. */
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

/** Sets a token's royalty (ERC-2981). The zero address with 0 restores the collection's royalty. */
export function encodeSetTokenRoyalty(tokenId: bigint, receiver: Address, basisPoints: number): Hex {
  const args = [tokenId, receiver, BigInt(basisPoints)] as const
  return encodeFunctionData({ abi: vitrine721Abi, functionName: 'setTokenRoyalty', args })
}

/** Sets the collection's royalty (ERC-2981). The zero address with 0 means no royalty. */
export function encodeSetDefaultRoyalty(receiver: Address, basisPoints: number): Hex {
  const args = [receiver, BigInt(basisPoints)] as const
  return encodeFunctionData({ abi: vitrine721Abi, functionName: 'setDefaultRoyalty', args })
}

/** Sets the base URI: a token's metadata URI is this and its decimal id. An empty one restores the default. */
export function encodeSetBaseUri(baseUri: string): Hex {
  return encodeFunctionData({ abi: vitrine721Abi, functionName: 'setBaseURI', args: [baseUri] })
}

/** Fixes the base URI permanently. */
export function encodeLockBaseUri(): Hex {
  return encodeFunctionData({ abi: vitrine721Abi, functionName: 'lockBaseURI' })
}

/** Announces changed metadata: ERC-4906 events on ERC-721, a URI event for each token on ERC-1155. */
export function encodeRefreshMetadata(fromTokenId: bigint, toTokenId: bigint): Hex {
  return encodeFunctionData({ abi: vitrine721Abi, functionName: 'refreshMetadata', args: [fromTokenId, toTokenId] })
}

/** Lowers the collection's max supply. Raising it reverts. */
export function encodeSetMaxSupply(maxSupply: bigint): Hex {
  return encodeFunctionData({ abi: vitrine721Abi, functionName: 'setMaxSupply', args: [maxSupply] })
}

/** Gives the account exactly these roles, a sum of ROLES; 0 removes all. Only the contract's owner may call it. */
export function encodeSetRoles(account: Address, roles: bigint): Hex {
  return encodeFunctionData({ abi: vitrine721Abi, functionName: 'setRoles', args: [account, roles] })
}

/**
 * An ERC-721 `transferFrom`, which does not call the receiver: receiving contracts are checked before
 * (`encodeReceiverCall`).
 */
export function encodeTransfer721(from: Address, to: Address, tokenId: bigint): Hex {
  return encodeFunctionData({ abi: vitrine721Abi, functionName: 'transferFrom', args: [from, to, tokenId] })
}

/** An ERC-1155 `safeTransferFrom`, which calls a receiving contract as the standard requires. */
export function encodeTransfer1155(from: Address, to: Address, tokenId: bigint, amount: bigint): Hex {
  const args = [from, to, tokenId, amount, '0x'] as const
  return encodeFunctionData({ abi: vitrine1155Abi, functionName: 'safeTransferFrom', args })
}
