import { decodeFunctionResult, isAddressEqual, type Hex } from 'viem'
import type { SystemContext } from '../../platform/auth/context.ts'
import { CallUndecided, type Chain, type ChainReads, type Receipt } from '../../ports/chain/chain.ts'
import { vitrine721Abi } from '../../core/contracts/abi.ts'
import { encodeTransferNonceUsed } from '../../core/contracts/signed-transfers.ts'
import { decodeTokenLog } from '../../core/contracts/token-logs.ts'
import { agreedAnswer, askSeveral } from '../transactions/agreed-answer.ts'
import { readIndexed } from '../indexer/read-indexed.ts'
import { receiptKey } from '../transactions/agreed-receipt.ts'
import { type CarriedTransfer, contractOf, orderOf } from './order-of.ts'

/**
 * The fate of a transfer whose nonce the contract has taken. delivered: a transaction moved the token as ordered,
 * whoever sent it. elsewhere: the nonce was cancelled or used for something else. unknown: nothing final or entered
 * says so yet.
 */
type Delivery = { is: 'delivered'; txHash: string } | { is: 'elsewhere' } | { is: 'unknown' }

/** Moves between the same two addresses that are looked through. */
const MOST = 50

/**
 * Looks for the transaction that delivered a transfer, in the blocks up to `finalTo`. Who owns the token now proves
 * nothing: only the logs of one transaction do, which moved it as ordered and took the holder's nonce.
 */
export async function findDelivery(
  worker: SystemContext,
  chain: Chain,
  transfer: CarriedTransfer,
  finalTo: bigint,
): Promise<Delivery> {
  // Read before the moves: of a block that is entered after that, they may lack some.
  const enteredTo = await readEnteredTo(worker, chain, transfer)
  const moves = await worker.db.itemHistory.findMany({
    where: {
      itemId: transfer.itemId,
      type: 'TRANSFER',
      fromAddress: transfer.fromAddress,
      toAddress: transfer.toAddress,
      quantity: transfer.quantity.toString(),
      blockNumber: { gte: transfer.sinceBlock, lte: finalTo },
    },
    orderBy: { id: 'asc' },
    take: MOST,
    select: { txHash: true },
  })
  for (const { txHash } of moves) {
    const told = await chain.receipt(txHash as Hex)
    if (told && isNonceTakenIn(told, transfer)) return { is: 'delivered', txHash }
    const contract = contractOf(transfer)
    const receipt = await agreedAnswer(
      chain,
      (node) => node.receipt(txHash as Hex),
      (one) => receiptKey(one, contract),
    )
    if (!receipt) return { is: 'unknown' }
    if (isNonceTakenIn(receipt, transfer)) return { is: 'delivered', txHash }
  }
  if (enteredTo === null) return { is: 'unknown' }
  const judgedTo = enteredTo < finalTo ? enteredTo : finalTo
  return { is: (await isNonceUsedBy(chain, transfer, judgedTo)) ? 'elsewhere' : 'unknown' }
}

/**
 * The last block whose logs of the collection are entered; where blocks become final at once, the index is always
 * behind the final one. null: none, or it is of a branch that a reorg left, whose moves aren't those of the chain.
 */
async function readEnteredTo(
  worker: SystemContext,
  chain: Chain,
  { collection }: CarriedTransfer,
): Promise<bigint | null> {
  const indexed = collection.following ? await readIndexed(worker, chain) : null
  return indexed?.isOnChain ? indexed.number : null
}

/** Nodes that have pruned the state of that block say nothing. */
async function isNonceUsedBy(chain: Chain, transfer: CarriedTransfer, block: bigint): Promise<boolean> {
  try {
    return await isNonceUsed(chain, transfer, block)
  } catch (error) {
    if (error instanceof CallUndecided) return false
    throw error
  }
}

/**
 * Whether the contract has taken the holder's nonce, as far as any node knows: what one doesn't know yet, another may.
 */
export const isNonceUsedAnywhere = async (chain: Chain, transfer: CarriedTransfer): Promise<boolean> =>
  (await askSeveral(chain, (node) => isNonceUsed(node, transfer))).includes(true)

/** Whether the contract has taken the holder's nonce, at one node, in the latest block or in that of a number. */
async function isNonceUsed(chain: ChainReads, transfer: CarriedTransfer, at?: bigint): Promise<boolean> {
  const { from, nonce } = orderOf(transfer)
  const data = await chain.read({ to: contractOf(transfer), data: encodeTransferNonceUsed(from, nonce) }, at)
  return decodeFunctionResult({ abi: vitrine721Abi, functionName: 'transferNonceUsed', data })
}

/** Whether a transaction's logs say that the contract took the holder's nonce. */
function isNonceTakenIn({ logs }: Receipt, transfer: CarriedTransfer): boolean {
  const { from, nonce } = orderOf(transfer)
  return logs
    .filter(({ address }) => isAddressEqual(address, contractOf(transfer)))
    .map(decodeTokenLog)
    .some((log) => log?.type === 'TRANSFER_NONCE_USED' && isAddressEqual(log.from, from) && log.nonce === nonce)
}
