import { Prisma } from '../../../generated/prisma/client.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { abandonTransaction } from './abandon-transaction.ts'
import { getTransaction } from './get-transaction.ts'
import { findSending, type SendingRow } from './sending-row.ts'

/**
 * Cancels a transaction: at once while it waits; after it was sent, the worker sends an empty one with the same nonce,
 * and the chain decides which is mined. What is owed to a claim, a purchase or a holder can't be cancelled.
 */
export function cancelTransaction(ctx: Context, id: string) {
  return inTransaction(ctx, async (tx) => {
    await tx.sql(Prisma.sql`SELECT 1 FROM transactions WHERE id = ${id}::uuid FOR UPDATE`)
    const row = await findSending(tx, id)
    if (!row) throw notFound()
    await callOff(tx, row)
    return getTransaction(tx, id)
  })
}

async function callOff(tx: Context, row: SendingRow): Promise<void> {
  if (row.state !== 'PENDING' && row.state !== 'SUBMITTED')
    throw new AppError('transaction_finished', `This transaction is ${row.state}: there is nothing left to cancel.`)
  if (row.mintRequests.some((mint) => mint.claimId || mint.purchaseIntentId || mint.escrowId))
    throw new AppError(
      'transaction_in_use',
      'This transaction delivers an email claim or a purchase, or returns a token, and a promise isn’t cancelled.',
    )
  if (row.txType === 'SIGNED_TRANSFER')
    throw new AppError(
      'transaction_in_use',
      'This transaction sends a token for its holder. It ends by itself at the deadline that the holder signed.',
    )
  if (row.state === 'PENDING') return abandonTransaction(tx, row, 'CANCELLED', 'It was cancelled.')
  if (row.cancelRequestedAt) return
  await tx.db.transaction.update({ where: { id: row.id }, data: { cancelRequestedAt: tx.now() } })
  await recordAudit(tx, { action: 'transaction.cancel_requested', subject: { type: 'transaction', id: row.id } })
}
