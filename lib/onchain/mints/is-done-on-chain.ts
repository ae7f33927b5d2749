import { encodeFunctionData, isAddressEqual, parseAbi, size, slice, type Address } from 'viem'
import { askSeveral, enoughOf } from '../transactions/agreed-answer.ts'
import { CallReverted, type Chain, type ChainReads } from '../../ports/chain/chain.ts'
import type { SendingMint, SendingRow } from '../transactions/sending-row.ts'
import { isUsedOnChain } from '../vouchers/is-used-on-chain.ts'

const OWNER_OF = parseAbi(['function ownerOf(uint256 id) view returns (address)'])
const WORD_BYTES = 32

type SentCall = Pick<SendingRow, 'txType' | 'operator' | 'collection'>

/**
 * Asks the contract about a mint request, at several nodes: whether its request number (ERC-1155) or its token
 * (ERC-721) was used, or a token to hand over has left our operator. `proved`: enough nodes say so to act on it.
 * `possible`: at least one does.
 */
export async function isDoneOnChain(
  chain: Chain,
  row: SentCall,
  mint: SendingMint,
): Promise<{ proved: boolean; possible: boolean }> {
  const answers = await askSeveral(chain, (node) => isDone(node, row, mint))
  const done = answers.filter(Boolean).length
  return { proved: done >= enoughOf(answers), possible: done > 0 }
}

async function isDone(
  node: ChainReads,
  { txType, operator, collection }: SentCall,
  mint: SendingMint,
): Promise<boolean> {
  const { tokenType } = collection
  const contract = collection.contractAddress as Address
  const tokenId = mint.item.tokenId!
  if (txType !== 'TRANSFER_TOKEN')
    return isUsedOnChain(node, { contract, nonce: mint.requestNumber, tokenId, tokenType })
  return tokenType === 'ERC721' && hasLeft(node, contract, BigInt(tokenId), operator as Address)
}

/**
 * A token that our operator had is somebody else's now, or burnt. One that doesn't exist has left nobody: a reorg undid
 * its mint.
 */
async function hasLeft(node: ChainReads, to: Address, id: bigint, operator: Address): Promise<boolean> {
  try {
    const owner = await node.read({ to, data: encodeFunctionData({ abi: OWNER_OF, args: [id] }) })
    return size(owner) >= WORD_BYTES && !isAddressEqual(slice(owner, 12, WORD_BYTES), operator)
  } catch (error) {
    if (!(error instanceof CallReverted)) throw error
    return isUsedOnChain(node, { contract: to, nonce: 0n, tokenId: String(id), tokenType: 'ERC721' })
  }
}
