import { type Address, hexToBigInt, size } from 'viem'
import { CONTRACTS_VERSION } from '../../core/contracts/abi.ts'
import type { TokenType } from '../../core/contracts/calls.ts'
import { encodeAsksForSignedTransfers, VERSION_BEFORE_SIGNED_TRANSFERS } from '../../core/contracts/signed-transfers.ts'
import { CallReverted, CallUndecided, type ChainReads } from '../../ports/chain/chain.ts'

/**
 * The version of one of our contracts: the present one when it takes signed transfers, else the one before. CONTRACTS may name
 * implementations of an earlier release, so the contract itself is asked. null: it gave no answer.
 */
export async function readContractVersion(
  chain: ChainReads,
  tokenType: TokenType,
  contract: Address,
): Promise<string | null> {
  try {
    const answer = await chain.read({ to: contract, data: encodeAsksForSignedTransfers(tokenType) })
    if (size(answer) !== 32) return null
    return hexToBigInt(answer) === 1n ? CONTRACTS_VERSION : VERSION_BEFORE_SIGNED_TRANSFERS
  } catch (error) {
    if (error instanceof CallReverted || error instanceof CallUndecided) return null
    throw error
  }
}
