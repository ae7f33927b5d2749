import type { SignedTransferState, TransactionType } from '../../../generated/prisma/client.ts'
import type { TransferFailure } from '../../platform/api/transfers.ts'
import type { Context } from '../../platform/auth/context.ts'
import { recordAudits } from '../../records/audit/record-audit.ts'
import { AppError } from '../../core/errors.ts'

/**
 * The states of a signed transfer, whose transaction goes its own way: a reverted transaction completes a transfer that somebody else's
 * transaction delivered. SUBMITTED → PENDING: its transaction waits for another nonce. COMPLETED → SUBMITTED: a reorg undid it.
 */
const NEXT = {
  PENDING: ['SUBMITTED', 'COMPLETED', 'FAILED'],
  SUBMITTED: ['PENDING', 'COMPLETED', 'FAILED'],
  COMPLETED: ['SUBMITTED'],
  FAILED: [],
} as const satisfies Record<SignedTransferState, readonly SignedTransferState[]>

/** The transaction that carries a transfer. */
type Carrier = { id: string; txType: TransactionType }
type Change = { txHash?: string | null; failure?: { code: TransferFailure; message: string } }

/** Moves the transfer of a transaction one step; does nothing for a transaction of another type. Of two callers racing one gets `conflict`. */
export async function advanceTransfer(
  tx: Context,
  carrier: Carrier,
  to: SignedTransferState,
  { txHash, failure }: Change = {},
): Promise<void> {
  if (carrier.txType !== 'SIGNED_TRANSFER') return
  const { id, state } = await tx.db.signedTransfer.findFirstOrThrow({
    where: { transactionId: carrier.id },
    select: { id: true, state: true },
  })
  if (!(NEXT[state] as readonly SignedTransferState[]).includes(to))
    throw new AppError('conflict', `A ${state} transfer can't become ${to}.`)
  const { count } = await tx.db.signedTransfer.updateMany({
    where: { id, state },
    data: {
      state: to,
      ...(txHash !== undefined && { txHash }),
      ...(failure && { failureCode: failure.code, failure: failure.message }),
      completedAt: to === 'COMPLETED' ? tx.now() : null,
    },
  })
  if (count === 0) throw new AppError('conflict', 'The transfer changed meanwhile.')
  await recordAudits(tx, [
    {
      action: 'transfer.advanced',
      subject: { type: 'transfer', id },
      before: { state },
      after: { state: to, ...(txHash && { tx_hash: txHash }), ...(failure && { failure: failure.message }) },
    },
  ])
}

/** Fails the transfer of a transaction that will have no effect any more, unless it is decided. */
export async function failTransfer(
  tx: Context,
  carrier: Carrier,
  code: TransferFailure,
  message: string,
): Promise<void> {
  if (carrier.txType === 'SIGNED_TRANSFER' && (await isUndecided(tx, carrier.id)))
    await advanceTransfer(tx, carrier, 'FAILED', { failure: { code, message } })
}

const isUndecided = async (tx: Context, transactionId: string): Promise<boolean> =>
  (await tx.db.signedTransfer.count({ where: { transactionId, state: { in: ['PENDING', 'SUBMITTED'] } } })) > 0
