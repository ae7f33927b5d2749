import { Prisma } from '../../../generated/prisma/client.ts'
import { resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import type { RowOf } from '../../db/columns.ts'
import { inTransaction, within, type SystemContext } from '../../platform/auth/context.ts'
import { findReady, sweepAny } from '../../platform/jobs/sweep.ts'
import { crashPoint } from '../../core/crash.ts'
import { claimRedeemedBefore, claimReturnedBefore } from '../../giving/on-token-delivered.ts'
import { lockItemRows } from '../../stock/lock-item-rows.ts'
import { explainMint } from '../mints/explain-mint.ts'
import { hadCome, UNMATCHED } from './match-escrows.ts'
import { recordLostDelivery } from './record-lost-delivery.ts'

const BATCH = 100
const TASK = { kind: 'match claim', failure: 'A claim could not be matched to the mint that delivered it.' } as const

/** `returned`: the escrow whose token went to its sender. */
type Pair = RowOf<typeof UNMATCHED> & { claimId: string; holdId: string; returned: string | null }

/**
 * Claims of tokens of their own (ERC-721) that we minted, which the books don't know since they were put back from a
 * backup: the token was promised to nobody else, so the claim is delivered. A token in escrow that went to its sender
 * was returned. Returns how many.
 */
export async function matchClaims(worker: SystemContext, networkId: number): Promise<number> {
  const pairs = await findReady(worker, TASK, BATCH, ({ skip, take }) =>
    worker.sql<Pair>(Prisma.sql`
      SELECT ${Prisma.raw(UNMATCHED)}, h.id AS "holdId", h.holder_id AS "claimId",
        CASE WHEN e.from_address = u.to_address THEN e.id END AS returned
      FROM unmatched_mints u
      JOIN collections c ON c.id = u.collection_id AND c.token_type = 'ERC721'
      JOIN holds h ON h.item_id = u.item_id AND h.holder_type = 'CLAIM' AND h.state IN ('HELD', 'EXCEPTION')
      JOIN email_claims k ON k.id = h.holder_id AND k.state IN ('OPEN', 'LOCKED')
      LEFT JOIN escrows e ON e.id = k.escrow_id
      WHERE u.network_id = ${networkId} AND u.state = 'OURS' AND (e.id IS NULL OR ${hadCome})
      ORDER BY u.id LIMIT ${take} OFFSET ${skip}`),
  )
  return sweepAny(worker, TASK, pairs, (pair) => match(worker, pair))
}

async function match(worker: SystemContext, pair: Pair): Promise<void> {
  const { id, organizationId, claimId, returned, holdId, itemId } = pair
  await inTransaction(worker, async (tx) => {
    const move = await tx.db.itemHistory.findFirstOrThrow({ where: { id } })
    await within(tx, organizationId, (own) =>
      returned === null ? claimRedeemedBefore(own, claimId, move) : claimReturnedBefore(own, claimId),
    )
    await lockItemRows(tx, [itemId])
    await explainMint(tx, id, holdId)
    await within(tx, organizationId, async (own) => {
      await recordLostDelivery(own, itemId, move, returned === null ? { claimId } : { escrowId: returned })
      await resolveAlarm(own, 'foreign_mint', itemId)
    })
  })
  crashPoint('claim_matched')
}
