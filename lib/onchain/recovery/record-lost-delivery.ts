import type { ItemHistory } from '../../../generated/prisma/client.ts'
import { newId } from '../../core/id.ts'
import { nextRequestNumber } from '../../orders/next-request-number.ts'
import type { Context } from '../../platform/auth/context.ts'
import { recordLostTransaction } from './record-lost-transaction.ts'

/** Whose the mint request was: a claim's, which shows its transaction, or an escrow's. */
type Owner = { claimId: string } | { escrowId: string }

/** Writes a mint request that was lost, as far as the chain tells of it. */
export async function recordLostDelivery(own: Context, itemId: string, move: ItemHistory, owner: Owner): Promise<void> {
  const { collectionId, networkId, txHash, fromAddress: from, toAddress: to } = move
  const order = { collectionId, networkId, mints: { count: 1 }, isClosed: true }
  const transactionId = await recordLostTransaction(
    own,
    move.type === 'TRANSFER'
      ? { ...order, txType: 'TRANSFER_TOKEN', payload: { item_id: itemId, from, to, quantity: '1' } }
      : { ...order, txType: 'ADMIN_MINT', payload: {} },
    move,
  )
  await own.db.mintRequest.create({
    data: {
      id: newId(),
      organizationId: own.organizationId,
      collectionId,
      itemId,
      transactionId,
      ...owner,
      toAddress: to,
      quantity: 1n,
      requestNumber: await nextRequestNumber(own, collectionId),
      state: 'COMPLETED',
      createdAt: own.now(),
      txHash,
      completedAt: own.now(),
    },
  })
}
