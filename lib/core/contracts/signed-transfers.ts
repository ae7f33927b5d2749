import { decodeFunctionData, encodeFunctionData, type Address, type Hex } from 'viem'
import { vitrine1155Abi, vitrine721Abi } from './abi.ts'
import type { TokenType } from './calls.ts'
import { domainOf } from './vouchers.ts'

/** A transfer that the holder signs and anyone may send, who then pays its gas. */
export type SignedTransfer = {
  tokenId: bigint
  /** Always 1 on ERC-721, where it isn't signed. */
  quantity: bigint
  from: Address
  to: Address
  /** Any number below 2^256. The contract accepts each once from every holder, in any order. */
  nonce: bigint
  /** In Unix seconds; the transfer is valid up to and including this second. */
  deadline: bigint
}

const TYPES = {
  ERC721: {
    TransferWithSignature: [
      { name: 'tokenId', type: 'uint256' },
      { name: 'from', type: 'address' },
      { name: 'to', type: 'address' },
      { name: 'nonce', type: 'uint256' },
      { name: 'deadline', type: 'uint256' },
    ],
  },
  ERC1155: {
    TransferWithSignature: [
      { name: 'tokenId', type: 'uint256' },
      { name: 'amount', type: 'uint256' },
      { name: 'from', type: 'address' },
      { name: 'to', type: 'address' },
      { name: 'nonce', type: 'uint256' },
      { name: 'deadline', type: 'uint256' },
    ],
  },
} as const satisfies Record<TokenType, unknown>

/** The EIP-712 typed data of a transfer, in the form that viem's and wallets' `signTypedData` take. */
export function signedTransferTypedData(
  tokenType: TokenType,
  chainId: number,
  contract: Address,
  { quantity, ...transfer }: SignedTransfer,
) {
  return {
    domain: domainOf(chainId, contract),
    types: TYPES[tokenType] as { TransferWithSignature: readonly { name: string; type: string }[] },
    primaryType: 'TransferWithSignature' as const,
    message: tokenType === 'ERC721' ? transfer : { ...transfer, amount: quantity },
  }
}

/**
 * Calls `transferWithSignature`. The call has the same effect whoever sends it.
 * @param signature 64 or 65 bytes of the holder's key, or the ERC-1271 signature of a holder that is a contract.
 */
export function encodeTransferWithSignature(tokenType: TokenType, transfer: SignedTransfer, signature: Hex): Hex {
  const { tokenId, quantity, from, to, nonce, deadline } = transfer
  if (tokenType === 'ERC721')
    return encodeFunctionData({
      abi: vitrine721Abi,
      functionName: 'transferWithSignature',
      args: [tokenId, from, to, nonce, deadline, signature],
    })
  return encodeFunctionData({
    abi: vitrine1155Abi,
    functionName: 'transferWithSignature',
    args: [tokenId, quantity, from, to, nonce, deadline, signature],
  })
}

/** The signed transfer in a transaction's data; null when the data is no `transferWithSignature` call. */
export function decodeTransferWithSignature(
  tokenType: TokenType,
  data: Hex,
): { transfer: SignedTransfer; signature: Hex } | null {
  try {
    if (tokenType === 'ERC721') {
      const call = decodeFunctionData({ abi: vitrine721Abi, data })
      if (call.functionName !== 'transferWithSignature') return null
      const [tokenId, from, to, nonce, deadline, signature] = call.args
      return { transfer: { tokenId, quantity: 1n, from, to, nonce, deadline }, signature }
    }
    const call = decodeFunctionData({ abi: vitrine1155Abi, data })
    if (call.functionName !== 'transferWithSignature') return null
    const [tokenId, quantity, from, to, nonce, deadline, signature] = call.args
    return { transfer: { tokenId, quantity, from, to, nonce, deadline }, signature }
  } catch {
    return null
  }
}

/** Asks whether the holder has used or cancelled this nonce. The answer is a bool. */
export function encodeTransferNonceUsed(from: Address, nonce: bigint): Hex {
  return encodeFunctionData({ abi: vitrine721Abi, functionName: 'transferNonceUsed', args: [from, nonce] })
}

/** The ERC-165 interface of the functions for signed transfers. */
const INTERFACE_IDS = { ERC721: '0xf695d948', ERC1155: '0x7a1aa76f' } as const satisfies Record<TokenType, Hex>

/** Asks a contract whether it takes signed transfers (ERC-165). The answer is a bool. */
export function encodeAsksForSignedTransfers(tokenType: TokenType): Hex {
  return encodeFunctionData({
    abi: vitrine721Abi,
    functionName: 'supportsInterface',
    args: [INTERFACE_IDS[tokenType]],
  })
}

/** The version of the contracts of release 0.1.0, the last without signed transfers. */
export const VERSION_BEFORE_SIGNED_TRANSFERS = '1-22f2377d'

/**
 * Whether the tokens of a collection can be moved by their holder's signature. Versions of our contracts that begin
 * with 1 have no function for it, and soulbound tokens don't move.
 */
export function takesSignedTransfers(collection: { contractVersion: string | null; soulbound: boolean }): boolean {
  const { contractVersion, soulbound } = collection
  return contractVersion !== null && !contractVersion.startsWith('1-') && !soulbound
}
