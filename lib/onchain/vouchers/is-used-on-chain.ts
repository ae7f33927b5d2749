import { encodeFunctionData, hexToBigInt, parseAbi, size, slice, type Address, type Hex } from 'viem'
import { CallReverted, type ChainReads } from '../../ports/chain/chain.ts'

const ABI = parseAbi([
  'function ownerOf(uint256 id) view returns (address)',
  'function lowestValidNonce(uint256 id) view returns (uint256)',
  'function isUsed(uint256 requestIdOrNonce) view returns (bool)',
])

const WORD_BYTES = 32
/** The lowest valid nonce of a burnt token. */
const BURNT = 2n ** 96n - 1n

type Reads = Pick<ChainReads, 'read'>
type Voucher = { contract: string; nonce: bigint; tokenId: string; tokenType: 'ERC721' | 'ERC1155' | null }

/**
 * Whether the contract itself says that a nonce or request number (ERC-1155) or a token (ERC-721, burnt or not) was
 * used, in the latest block or in the block of a number. It is asked before a promise ends, since a node may have left
 * out the log of its mint. An address without code answers nothing, which says that nothing was used.
 */
export async function isUsedOnChain(
  chain: Reads,
  { contract, nonce, tokenId, tokenType }: Voucher,
  at?: bigint,
): Promise<boolean> {
  const to = contract as Address
  try {
    if (tokenType !== 'ERC1155') return await wasMinted(chain, to, BigInt(tokenId), at)
    return (
      (await readWord(chain, to, encodeFunctionData({ abi: ABI, functionName: 'isUsed', args: [nonce] }), at)) === 1n
    )
  } catch (error) {
    if (error instanceof CallReverted) return false
    throw error
  }
}

async function wasMinted(chain: Reads, to: Address, id: bigint, at?: bigint): Promise<boolean> {
  try {
    return (
      (await readWord(chain, to, encodeFunctionData({ abi: ABI, functionName: 'ownerOf', args: [id] }), at)) !== null
    )
  } catch (error) {
    if (!(error instanceof CallReverted)) throw error
    const data = encodeFunctionData({ abi: ABI, functionName: 'lowestValidNonce', args: [id] })
    return (await readWord(chain, to, data, at)) === BURNT
  }
}

/** null: the answer is too short for a word, as where there is no code. */
async function readWord(chain: Reads, to: Address, data: Hex, at?: bigint): Promise<bigint | null> {
  const answer = await chain.read({ to, data }, at)
  return size(answer) < WORD_BYTES ? null : hexToBigInt(slice(answer, 0, WORD_BYTES))
}
