import { type Address, encodeFunctionData, type Hex, hexToBigInt, size } from 'viem'
import { CONTRACTS_VERSION, vitrine721Abi } from '../../core/contracts/abi.ts'
import type { TokenType } from '../../core/contracts/calls.ts'
import { encodeAsksForSignedTransfers, VERSION_BEFORE_SIGNED_TRANSFERS } from '../../core/contracts/signed-transfers.ts'
import { CallReverted, CallUndecided, type ChainReads } from '../../ports/chain/chain.ts'

/** The version before the chunk range was bounded: its consecutive batches take ids up to 2^63 - 1. */
export const VERSION_BEFORE_ID_LIMIT = '2-d389816b'

const ASKS_FOR_ID_LIMIT = encodeFunctionData({ abi: vitrine721Abi, functionName: 'BLOB_ID_LIMIT' })

/**
 * The version of one of our contracts, by what it can do. CONTRACTS may name implementations of an earlier release, so
 * the contract itself is asked. null: it gave no answer.
 */
export async function readContractVersion(
  chain: ChainReads,
  tokenType: TokenType,
  contract: Address,
): Promise<string | null> {
  const takesSigned = await readWord(chain, contract, encodeAsksForSignedTransfers(tokenType))
  if (takesSigned === null) return null
  if (takesSigned !== 1n) return VERSION_BEFORE_SIGNED_TRANSFERS
  const isBounded = tokenType === 'ERC1155' || (await readWord(chain, contract, ASKS_FOR_ID_LIMIT)) !== null
  return isBounded ? CONTRACTS_VERSION : VERSION_BEFORE_ID_LIMIT
}

/** One word that a contract answers; null: it gave no such answer. */
async function readWord(chain: ChainReads, contract: Address, data: Hex): Promise<bigint | null> {
  try {
    const answer = await chain.read({ to: contract, data })
    return size(answer) === 32 ? hexToBigInt(answer) : null
  } catch (error) {
    if (error instanceof CallReverted || error instanceof CallUndecided) return null
    throw error
  }
}
