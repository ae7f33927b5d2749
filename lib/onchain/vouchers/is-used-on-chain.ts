import { decodeFunctionResult, encodeFunctionData, parseAbi, type Address } from 'viem'
import { CallReverted, type ChainReads } from '../../ports/chain/chain.ts'

const ABI = parseAbi([
  'function ownerOf(uint256 id) view returns (address)',
  'function lowestValidNonce(uint256 id) view returns (uint256)',
  'function isUsed(uint256 requestIdOrNonce) view returns (bool)',
])

/** The lowest valid nonce of a burnt token. */
const BURNT = 2n ** 96n - 1n

type Reads = Pick<ChainReads, 'read'>
type Voucher = { contract: string; nonce: bigint; tokenId: string; tokenType: 'ERC721' | 'ERC1155' | null }

/**
 * Whether the contract itself says that a voucher's nonce (ERC-1155) or token (ERC-721, burnt or not) was used, in the latest block or
 * in the block of a number. It is asked before a voucher ends, since a node may have left out the log of its mint.
 */
export async function isUsedOnChain(
  chain: Reads,
  { contract, nonce, tokenId, tokenType }: Voucher,
  at?: bigint,
): Promise<boolean> {
  const to = contract as Address
  try {
    if (tokenType !== 'ERC1155') return await wasMinted(chain, to, BigInt(tokenId), at)
    const data = await chain.read(
      { to, data: encodeFunctionData({ abi: ABI, functionName: 'isUsed', args: [nonce] }) },
      at,
    )
    return decodeFunctionResult({ abi: ABI, functionName: 'isUsed', data })
  } catch (error) {
    if (error instanceof CallReverted) return false
    throw error
  }
}

async function wasMinted(chain: Reads, to: Address, id: bigint, at?: bigint): Promise<boolean> {
  try {
    await chain.read({ to, data: encodeFunctionData({ abi: ABI, functionName: 'ownerOf', args: [id] }) }, at)
    return true
  } catch (error) {
    if (!(error instanceof CallReverted)) throw error
    const call = encodeFunctionData({ abi: ABI, functionName: 'lowestValidNonce', args: [id] })
    const data = await chain.read({ to, data: call }, at)
    return decodeFunctionResult({ abi: ABI, functionName: 'lowestValidNonce', data }) === BURNT
  }
}
