import type { Escrow, EscrowState, Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { AppError } from '../../core/errors.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'

/**
 * The states of an escrow. HELD: its token is in custody, and held for it; where its mailbox was lost, until a person says where it goes. OFFERED: its recipient has a claim. RETURN_REFUSED: the sender's
 * address doesn't take it back; it stays in custody. ENDED: the token never came, or a reorg took it away for good. A reorg of the delivery moves
 * it back a step; one of the token's arrival changes nothing but the hold, which becomes EXCEPTION until the token arrives again. After a backup was put back, what the chain knows of a handover ends any of them.
 */
const NEXT = {
  WAITING: ['HELD', 'ENDED'],
  HELD: ['OFFERED', 'RETURNING', 'TAKEN', 'RETURNED', 'ENDED'],
  OFFERED: ['TAKEN', 'RETURNING', 'RETURNED', 'ENDED'],
  TAKEN: ['OFFERED'],
  RETURNING: ['RETURNED', 'RETURN_REFUSED', 'ENDED'],
  RETURN_REFUSED: ['RETURNING', 'RETURNED', 'ENDED'],
  RETURNED: ['RETURNING'],
  ENDED: [],
} as const satisfies Record<EscrowState, readonly EscrowState[]>

type Change = Pick<Prisma.EscrowUncheckedUpdateManyInput, 'offeredUntil' | 'failure'>

/** Moves an escrow one step. The only writer of its state; of two callers racing one gets `conflict`. */
export async function advanceEscrow(
  tx: Context,
  { id, state }: Pick<Escrow, 'id' | 'state'>,
  to: EscrowState,
  change: Change = {},
): Promise<void> {
  if (!(NEXT[state] as readonly EscrowState[]).includes(to))
    throw new AppError('conflict', `An escrow that is ${state} can't become ${to}.`)
  const { count } = await tx.db.escrow.updateMany({
    where: { id, state },
    data: { failure: null, ...change, state: to },
  })
  if (count === 0) throw new AppError('conflict', 'The escrow changed meanwhile.')
  await recordAudit(tx, {
    action: 'escrow.advanced',
    subject: { type: 'transfer', id },
    before: { state },
    after: { state: to, ...(typeof change.failure === 'string' && { failure: change.failure }) },
  })
}

/** The same for one that was not read before. */
export async function advanceEscrowById(tx: Context, id: string, to: EscrowState, change: Change = {}): Promise<void> {
  const escrow = await tx.db.escrow.findFirstOrThrow({ where: { id }, select: { id: true, state: true } })
  await advanceEscrow(tx, escrow, to, change)
}
