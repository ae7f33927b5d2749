import type { Address } from 'viem'
import { withinTransaction, type SystemContext } from '../../platform/auth/context.ts'
import { openTransaction } from '../../orders/open-transaction.ts'
import { isFree } from './lane.ts'
import type { WatchedRow } from './sending-row.ts'

/**
 * Opens an empty transaction for a nonce that nothing in the books is bound to, so that `above`, which was signed for a
 * later one, can be mined. Another waiting transaction goes first, and takes the nonce; then the empty one is called
 * off (make-ready.ts). Nothing that is owed is replaced by it.
 */
export async function fillGap(worker: SystemContext, above: WatchedRow, nonce: number): Promise<void> {
  const { organizationId, collectionId, networkId } = above
  const operator = above.operator as Address
  if (!(await isFree(worker, networkId, operator, nonce))) return
  const waiting = await worker.db.transaction.count({
    where: { networkId, state: 'PENDING', txType: 'CANCEL', payload: { path: ['from'], equals: operator } },
  })
  if (waiting > 0) return
  await withinTransaction(worker, organizationId, (tx) =>
    openTransaction(tx, { collectionId, networkId, txType: 'CANCEL', payload: { from: operator }, isClosed: true }),
  )
}
