import { raiseAlarm, resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import type { Context } from '../../platform/auth/context.ts'
import { returnHolds } from '../../stock/advance-hold.ts'
import { advanceEscrowById } from './advance-escrow.ts'

type Returning = { mintId: string; escrowId: string }

/** The token is with its sender again, by the log of our transaction. */
export async function escrowReturned(tx: Context, escrowId: string): Promise<void> {
  await advanceEscrowById(tx, escrowId, 'RETURNED')
  await resolveAlarm(tx, 'return_refused', escrowId)
}

/** A reorg undid the return: it is under way again. */
export const escrowReturnUndone = (tx: Context, escrowId: string): Promise<void> =>
  advanceEscrowById(tx, escrowId, 'RETURNING')

/** Our transaction didn't return the token, and nothing that was signed for it can be mined any more. */
export async function escrowReturnFailed(tx: Context, { mintId, escrowId }: Returning, reason: string): Promise<void> {
  await returnHolds(tx, { type: 'MINT_REQUEST', id: mintId }, { type: 'ESCROW', id: escrowId })
  await refuseReturn(tx, escrowId, reason)
}

/**
 * A token that can't go back to its sender stays in custody, held for its escrow. It is tried again when somebody asks
 * for it.
 */
export async function refuseReturn(tx: Context, escrowId: string, reason: string): Promise<void> {
  await advanceEscrowById(tx, escrowId, 'RETURN_REFUSED', { failure: reason })
  const { fromAddress } = await tx.db.escrow.findFirstOrThrow({
    where: { id: escrowId },
    select: { fromAddress: true },
  })
  await raiseAlarm(
    tx,
    'return_refused',
    escrowId,
    `A token that nobody took can’t go back to its sender ${fromAddress}: ${reason} It stays with our operator.`,
  )
}
