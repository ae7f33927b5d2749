import { type Address, encodeFunctionData, hexToBigInt, size } from 'viem'
import { vitrine721Abi } from '../../core/contracts/abi.ts'
import { SENTENCES } from '../../core/contracts/revert-reason.ts'
import { CallReverted, type Chain, type Simulation } from '../../ports/chain/chain.ts'
import { mintedBefore, type SendingMint, type SendingRow } from '../transactions/sending-row.ts'
import type { RefusedMint } from './decide-used-mints.ts'

/**
 * The mints of a batch whose tokens the index has as minted. A simulation of the batch says nothing of them: ordinary
 * batches leave out what exists, and a contract that lost the range of its blobs would mint it again
 * (docs/contracts.md). `refused`: the contract knows the token, too, or refuses it alone. `denied`: it knows nothing of
 * it, as while a reorg isn't entered yet.
 */
export async function refuseMinted(
  chain: Chain,
  row: SendingRow,
  attempt: (mint: SendingMint) => Promise<Simulation>,
): Promise<{ refused: RefusedMint[]; denied: RefusedMint[] }> {
  const found = { refused: [] as RefusedMint[], denied: [] as RefusedMint[] }
  for (const mint of mintedBefore(row)) {
    const answer = (await hasOwner(chain, row, mint)) ? null : await attempt(mint)
    if (answer?.ok) found.denied.push({ mint, reason: DENIED })
    else found.refused.push({ mint, reason: answer?.reason ?? SENTENCES.TokenAlreadyExists })
  }
  return found
}

const DENIED = 'This token was minted by what was read of the chain, but not by what its contract says.'

/** Also finds owners in blobs outside the range that mints look at. */
async function hasOwner(chain: Chain, { collection }: SendingRow, { item }: SendingMint): Promise<boolean> {
  const data = encodeFunctionData({ abi: vitrine721Abi, functionName: 'ownerOf', args: [BigInt(item.tokenId!)] })
  try {
    const answer = await chain.read({ to: collection.contractAddress as Address, data })
    return size(answer) === 32 && hexToBigInt(answer) !== 0n
  } catch (error) {
    if (error instanceof CallReverted) return false
    throw error
  }
}
