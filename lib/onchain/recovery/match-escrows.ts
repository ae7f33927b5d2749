import { Prisma } from '../../../generated/prisma/client.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import { inTransaction, within, type SystemContext } from '../../platform/auth/context.ts'
import { findReady, sweepAny } from '../../platform/jobs/sweep.ts'
import { crashPoint } from '../../core/crash.ts'
import { resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import { lockItemRows } from '../../stock/lock-item-rows.ts'
import { advanceEscrow } from '../escrows/advance-escrow.ts'
import { explainMint } from '../mints/explain-mint.ts'
import { recordLostDelivery } from './record-lost-delivery.ts'

const BATCH = 100
const TASK = { kind: 'match escrow', failure: 'An escrow could not be matched to the transfer that ended it.' } as const

/** Whether the token of the escrow `e` had come before the unmatched move `u`: history rows have ids in chain order. */
export const hadCome = Prisma.sql`EXISTS (SELECT 1 FROM item_history a
  WHERE a.item_id = e.item_id AND a.type = 'TRANSFER'
    AND a.from_address = e.from_address AND a.to_address = e.operator AND a.id < u.id)`

export const UNMATCHED = columns('u', 'UnmatchedMint', ['id', 'organizationId', 'itemId'])
const ESCROW = columns('e', 'Escrow', ['state'])
type Pair = RowOf<typeof UNMATCHED> & RowOf<typeof ESCROW> & { escrowId: string; isBack: boolean; holdId: string }

/**
 * Tokens of escrows without a claim in the books, which we handed over in a transaction that the books have lost: what
 * went to its sender was returned, and what nobody had been offered yet was taken. Returns how many.
 */
export async function matchEscrows(worker: SystemContext, networkId: number): Promise<number> {
  const pairs = await findReady(worker, TASK, BATCH, ({ skip, take }) =>
    worker.sql<Pair>(Prisma.sql`
      SELECT ${Prisma.raw(UNMATCHED)}, ${Prisma.raw(ESCROW)}, h.id AS "holdId", e.id AS "escrowId",
        e.from_address = u.to_address AS "isBack"
      FROM unmatched_mints u
      JOIN holds h ON h.item_id = u.item_id AND h.holder_type = 'ESCROW' AND h.state IN ('HELD', 'EXCEPTION')
      JOIN escrows e ON e.id = h.holder_id AND ${hadCome}
      WHERE u.network_id = ${networkId} AND u.state = 'OURS'
        AND (e.state = 'HELD' OR e.state IN ('RETURNING', 'RETURN_REFUSED') AND e.from_address = u.to_address)
      ORDER BY u.id LIMIT ${take} OFFSET ${skip}`),
  )
  return sweepAny(worker, TASK, pairs, (pair) => match(worker, pair))
}

async function match(worker: SystemContext, pair: Pair): Promise<void> {
  const { id, organizationId, escrowId, state, isBack, holdId, itemId } = pair
  await inTransaction(worker, async (tx) => {
    const move = await tx.db.itemHistory.findFirstOrThrow({ where: { id } })
    await lockItemRows(tx, [itemId])
    await explainMint(tx, id, holdId)
    await within(tx, organizationId, async (own) => {
      await recordLostDelivery(own, itemId, move, { escrowId })
      await advanceEscrow(own, { id: escrowId, state }, isBack ? 'RETURNED' : 'TAKEN')
      for (const kind of ['return_refused', 'mailbox_lost'] as const) await resolveAlarm(own, kind, escrowId)
    })
  })
  crashPoint('escrow_matched')
}
