import {
  compactSignatureToSignature,
  isAddressEqual,
  parseCompactSignature,
  recoverTypedDataAddress,
  serializeSignature,
  size,
  type Address,
  type Hex,
} from 'viem'
import type { SystemContext } from '../../platform/auth/context.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { readSentTransaction, type SentTransaction } from '../../core/contracts/sent-transaction.ts'
import { decodeMintWithVoucher, voucherTypedData } from '../../core/contracts/vouchers.ts'
import { operatorsOn } from '../indexer/update-custody.ts'

type Ours = { id: string; contractAddress: string | null; signer: string | null }

/**
 * Whether a transaction to a collection's contract is our doing: one of our operators sent it, or it carries a voucher
 * that our key for this collection signed. null: it is somebody else's, or calls the contract by way of another one.
 * unknown: no node tells it truly.
 */
export async function findOurSender(
  worker: SystemContext,
  chain: Chain,
  { id, contractAddress, signer: known }: Ours,
  hash: Hex,
): Promise<'operator' | 'voucher' | 'unknown' | null> {
  const sent = await readSent(chain, hash)
  if (!sent) return 'unknown'
  if (!sent.to || !contractAddress || !isAddressEqual(sent.to, contractAddress as Address)) return null
  const operators = await operatorsOn(worker, chain.network.id)
  if ([...operators].some((operator) => isAddressEqual(operator as Address, sent.from))) return 'operator'
  const signer = await signerOf(chain.network.id, sent.to, sent.input)
  // The signer that is stored counts even while its key isn't configured.
  const ours = [...worker.ports.keys.voucherSigners(id), ...(known === null ? [] : [known as Address])]
  return signer !== null && ours.some((address) => isAddressEqual(signer, address)) ? 'voucher' : null
}

/** Reads a transaction by its hash. null: no node tells it truly. */
export async function readSent(chain: Chain, hash: Hex): Promise<SentTransaction | null> {
  const answer = await chain.forward('eth_getTransactionByHash', [hash])
  return 'result' in answer && answer.result ? readSentTransaction(hash, answer.result) : null
}

/** Who signed the voucher in a transaction's data; null where there is none, or a contract signed it. */
async function signerOf(chainId: number, contract: Address, input: Hex): Promise<Address | null> {
  const redemption = decodeMintWithVoucher(input)
  if (!redemption || size(redemption.signature) > 65) return null
  try {
    const signature = uncompacted(redemption.signature)
    return await recoverTypedDataAddress({ ...voucherTypedData(chainId, contract, redemption.voucher), signature })
  } catch {
    return null
  }
}

const uncompacted = (signature: Hex): Hex =>
  size(signature) === 64 ? serializeSignature(compactSignatureToSignature(parseCompactSignature(signature))) : signature
