import type { Prisma, TransactionState } from '../../../generated/prisma/client.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import type { Context } from '../../platform/auth/context.ts'
import { AppError } from '../../core/errors.ts'

/**
 * The states of a transaction. SUBMITTED → PENDING: its nonce was used by a foreign transaction, and it waits for
 * another. PENDING → COMPLETED: an earlier transaction of ours had carried it out. Back to SUBMITTED: a reorg undid its
 * block.
 */
const NEXT = {
  PENDING: ['SUBMITTED', 'COMPLETED', 'CANCELLED', 'FAILED'],
  SUBMITTED: ['COMPLETED', 'CANCELLED', 'FAILED', 'PENDING'],
  COMPLETED: ['SUBMITTED'],
  CANCELLED: ['SUBMITTED'],
  FAILED: ['SUBMITTED'],
} as const satisfies Record<TransactionState, readonly TransactionState[]>

export type TransactionChange = Omit<Prisma.TransactionUncheckedUpdateManyInput, 'id' | 'organizationId' | 'state'>

/** Moves a transaction one step. Of two callers racing for the same step one wins, the other gets `conflict`. */
export async function advanceTransaction(
  tx: Context,
  { id, state }: { id: string; state: TransactionState },
  to: TransactionState,
  change: TransactionChange = {},
): Promise<void> {
  if (!(NEXT[state] as readonly TransactionState[]).includes(to))
    throw new AppError('conflict', `A ${state} transaction can't become ${to}.`)
  const { count } = await tx.db.transaction.updateMany({ where: { id, state }, data: { ...change, state: to } })
  if (count === 0) throw new AppError('conflict', 'The transaction changed meanwhile.')
  const { failure, txHash, nonce } = change
  await recordAudit(tx, {
    action: 'transaction.advanced',
    subject: { type: 'transaction', id },
    before: { state },
    after: {
      state: to,
      ...(failure && { failure }),
      ...(txHash && { tx_hash: txHash }),
      ...(nonce !== undefined && { nonce }),
    },
  })
}
