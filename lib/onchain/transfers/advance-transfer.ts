import type { SignedTransferState, TransactionType } from '../../../generated/prisma/client.ts'
import type { TransferFailure } from '../../platform/api/transfers.ts'
import type { Context } from '../../platform/auth/context.ts'
import { advanceRows, stateTable } from '../../records/audit/advance-rows.ts'

/**
 * The states of a signed transfer, whose transaction goes its own way: a reverted transaction completes a transfer that
 * somebody else's transaction delivered. SUBMITTED → PENDING: its transaction waits for another nonce. COMPLETED →
 * SUBMITTED: a reorg undid it.
 */
const TRANSFER = stateTable<SignedTransferState>('transfer', 'transfer.advanced', {
  PENDING: ['SUBMITTED', 'COMPLETED', 'FAILED'],
  SUBMITTED: ['PENDING', 'COMPLETED', 'FAILED'],
  COMPLETED: ['SUBMITTED'],
  FAILED: [],
})

/** The transaction that carries a transfer. */
type Carrier = { id: string; txType: TransactionType }
type Change = { txHash?: string | null; failure?: { code: TransferFailure; message: string } }

/**
 * Moves the transfer of a transaction one step; does nothing for a transaction of another type. Of two callers racing
 * one gets `conflict`.
 */
export async function advanceTransfer(
  tx: Context,
  carrier: Carrier,
  to: SignedTransferState,
  { txHash, failure }: Change = {},
): Promise<void> {
  if (carrier.txType !== 'SIGNED_TRANSFER') return
  const transfer = await tx.db.signedTransfer.findFirstOrThrow({
    where: { transactionId: carrier.id },
    select: { id: true, state: true },
  })
  const write = () =>
    tx.db.signedTransfer.updateMany({
      where: transfer,
      data: {
        state: to,
        ...(txHash !== undefined && { txHash }),
        ...(failure && { failureCode: failure.code, failure: failure.message }),
        completedAt: to === 'COMPLETED' ? tx.now() : null,
      },
    })
  await advanceRows(tx, TRANSFER, [transfer], to, write, () => ({
    ...(txHash && { tx_hash: txHash }),
    ...(failure && { failure: failure.message }),
  }))
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
