import type { Escrow, EscrowState, Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { advanceRows, stateTable } from '../../records/audit/advance-rows.ts'

/**
 * The states of an escrow. HELD: its token is in custody, and held for it; where its mailbox was lost, until a person
 * says where it goes. OFFERED: its recipient has a claim. RETURN_REFUSED: the sender's address doesn't take it back; it
 * stays in custody. ENDED: the token never came, or a reorg took it away for good. A reorg of the delivery moves it
 * back a step; one of the token's arrival changes nothing but the hold, which becomes EXCEPTION until the token arrives
 * again. After a backup was put back, what the chain knows of a handover ends any of them.
 */
const ESCROW = {
  ...stateTable<EscrowState>('escrow', 'escrow.advanced', {
    WAITING: ['HELD', 'ENDED'],
    HELD: ['OFFERED', 'RETURNING', 'TAKEN', 'RETURNED', 'ENDED'],
    OFFERED: ['TAKEN', 'RETURNING', 'RETURNED', 'ENDED'],
    TAKEN: ['OFFERED'],
    RETURNING: ['RETURNED', 'RETURN_REFUSED', 'ENDED'],
    RETURN_REFUSED: ['RETURNING', 'RETURNED', 'ENDED'],
    RETURNED: ['RETURNING'],
    ENDED: [],
  }),
  subject: 'transfer',
}

type Change = Pick<Prisma.EscrowUncheckedUpdateManyInput, 'offeredUntil' | 'failure'>

/** Moves an escrow one step. The only writer of its state; of two callers racing one gets `conflict`. */
export async function advanceEscrow(
  tx: Context,
  escrow: Pick<Escrow, 'id' | 'state'>,
  to: EscrowState,
  change: Change = {},
): Promise<void> {
  const { id, state } = escrow
  const write = () => tx.db.escrow.updateMany({ where: { id, state }, data: { failure: null, ...change, state: to } })
  const { failure } = change
  await advanceRows(tx, ESCROW, [escrow], to, write, () => (typeof failure === 'string' ? { failure } : {}))
}

/** Reads the escrow with this id, and moves it one step as `advanceEscrow` does. */
export async function advanceEscrowById(tx: Context, id: string, to: EscrowState, change: Change = {}): Promise<void> {
  const escrow = await tx.db.escrow.findFirstOrThrow({ where: { id }, select: { id: true, state: true } })
  await advanceEscrow(tx, escrow, to, change)
}
