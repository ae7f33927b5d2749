import type { Context } from '../../platform/auth/context.ts'
import { type NewTransaction, openTransaction } from '../../orders/open-transaction.ts'
import { advanceTransaction } from '../transactions/advance-transaction.ts'

/** Writes a transaction of ours that the books had lost, as far as the chain tells of it, and returns its id. */
export async function recordLostTransaction(
  own: Context,
  order: NewTransaction,
  { txHash, blockNumber }: { txHash: string; blockNumber: bigint },
): Promise<string> {
  const id = await openTransaction(own, order)
  await advanceTransaction(own, { id, state: 'PENDING' }, 'COMPLETED', {
    txHash,
    blockNumber,
    onChainStatus: 'SUCCESS',
    completedAt: own.now(),
    finalAt: own.now(),
  })
  return id
}
