import { withinTransaction, type SystemContext } from '../../platform/auth/context.ts'
import { splitWaiting } from '../transactions/split-transaction.ts'
import type { SendingRow } from '../transactions/sending-row.ts'
import { adoptMint } from './adopt-mint.ts'

/**
 * ERC-1155: a batch after a backup was put back. Where the chain has a mint of ours of the same units to the same
 * recipient that no promise explains, it delivered this request, whose number is a new one. Where it has only such
 * mints to others, nobody can tell whether one of them delivered it: it waits for a person. `changed`: the batch isn't
 * what it was.
 */
export async function settleUnmatched(worker: SystemContext, row: SendingRow): Promise<'free' | 'changed' | 'waits'> {
  const { tokenType, requestIdFloor } = row.collection
  if (tokenType !== 'ERC1155' || requestIdFloor === 0n) return 'free'
  const asked = row.mintRequests.filter(({ requestNumber }) => requestNumber >= requestIdFloor)
  const unmatched = await worker.db.unmatchedMint.findMany({
    where: { itemId: { in: asked.map(({ itemId }) => itemId) }, state: 'OURS' },
    orderBy: { id: 'asc' },
  })
  if (unmatched.length === 0) return 'free'
  for (const mint of asked) {
    const earlier = unmatched.find(
      (one) => one.itemId === mint.itemId && one.toAddress === mint.toAddress && one.quantity === mint.quantity,
    )
    if (!earlier) continue
    await adoptMint(worker, row, mint, { historyId: earlier.id, txHash: earlier.txHash })
    return 'changed'
  }
  const unclear = new Set(unmatched.map(({ itemId }) => itemId))
  const waiting = asked.filter(({ itemId }) => unclear.has(itemId))
  if (waiting.length === row.mintRequests.length) return 'waits'
  await withinTransaction(worker, row.organizationId, (tx) => splitWaiting(tx, row, waiting))
  return 'changed'
}
