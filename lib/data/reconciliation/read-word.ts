import { type Address, type Hex, hexToBigInt, size, slice } from 'viem'
import { CallReverted, CallUndecided, type ChainReads } from '../../ports/chain/chain.ts'

const WORD_BYTES = 32

/** Whose contracts there are, in the order in which they are compared. */
export const CONTRACTS = ['PLATFORM', 'EXTERNAL'] as const

export type Contract = { contract: string; isOurs: boolean }

/**
 * The word that a contract answers to a call at a block. 'reverts': the call reverts. null: the contract gives no
 * usable answer, as foreign ones may. Throws CallUndecided where a node refuses to run a call of a contract of ours.
 */
export async function readWord(
  node: ChainReads,
  { contract, isOurs }: Contract,
  data: Hex,
  at: bigint,
): Promise<bigint | 'reverts' | null> {
  try {
    const answer = await node.read({ to: contract as Address, data }, at)
    return size(answer) < WORD_BYTES ? null : hexToBigInt(slice(answer, 0, WORD_BYTES))
  } catch (error) {
    if (error instanceof CallReverted) return 'reverts'
    if (isOurs || !(error instanceof CallUndecided)) throw error
    return null
  }
}
