import { decodeFunctionResult, encodeFunctionData, parseAbi, type Address } from 'viem'
import { CallReverted, type Chain } from '../../ports/chain/chain.ts'

const ABI = parseAbi([
  'function ownerOf(uint256 id) view returns (address)',
  'function isUsed(uint256 requestIdOrNonce) view returns (bool)',
])

type Voucher = { contract: string; nonce: bigint; tokenId: string; tokenType: 'ERC721' | 'ERC1155' | null }

/**
 * Whether the contract itself says that a voucher's nonce (ERC-1155) or token (ERC-721) was used, in the latest block. It is asked
 * before a voucher ends, since a node may have left out the log of its mint.
 */
export async function isUsedOnChain(chain: Chain, { contract, nonce, tokenId, tokenType }: Voucher): Promise<boolean> {
  const to = contract as Address
  try {
    if (tokenType !== 'ERC1155') {
      await chain.read({ to, data: encodeFunctionData({ abi: ABI, functionName: 'ownerOf', args: [BigInt(tokenId)] }) })
      return true
    }
    const data = await chain.read({ to, data: encodeFunctionData({ abi: ABI, functionName: 'isUsed', args: [nonce] }) })
    return decodeFunctionResult({ abi: ABI, functionName: 'isUsed', data })
  } catch (error) {
    if (error instanceof CallReverted) return false
    throw error
  }
}
