import { Prisma } from '../../../generated/prisma/client.ts'
import { resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import { inTransaction, within, type WorkerContext } from '../../platform/auth/context.ts'
import { type DueRow, findReady, sweepAny } from '../../platform/jobs/sweep.ts'
import { claimRedeemedBefore } from '../../giving/on-token-delivered.ts'
import { advanceHolds, asChainFact } from '../../stock/advance-hold.ts'
import { lockItemRows } from '../../stock/lock-item-rows.ts'
import { explainMint } from '../mints/explain-mint.ts'

const BATCH = 100
const TASK = { kind: 'match claim', failure: 'A claim could not be matched to the mint that delivered it.' }

type Pair = DueRow & { claimId: string; holdId: string; itemId: string; txHash: string; toAddress: string }

/**
 * Claims of tokens of their own (ERC-721) that we minted, which the books don't know since they were put back from a backup: the token
 * was promised to nobody else, so the claim is delivered. Returns how many.
 */
export async function matchClaims(worker: WorkerContext, networkId: number): Promise<number> {
  const pairs = await findReady(worker, TASK, BATCH, ({ skip, take }) =>
    worker.sql<Pair>(Prisma.sql`
      SELECT u.id::text, u.organization_id::text AS "organizationId", u.item_id::text AS "itemId", u.tx_hash AS "txHash", u.to_address AS "toAddress",
        h.id::text AS "holdId", h.holder_id::text AS "claimId"
      FROM unmatched_mints u
      JOIN collections c ON c.id = u.collection_id AND c.token_type = 'ERC721'
      JOIN holds h ON h.item_id = u.item_id AND h.holder_type = 'CLAIM' AND h.state IN ('HELD', 'EXCEPTION')
      JOIN email_claims e ON e.id = h.holder_id AND e.state IN ('OPEN', 'LOCKED')
      WHERE u.network_id = ${networkId} AND u.state = 'OURS'
      ORDER BY u.id LIMIT ${take} OFFSET ${skip}`),
  )
  return sweepAny(worker, TASK, pairs, (pair) => match(worker, pair))
}

const match = (worker: WorkerContext, { id, organizationId, claimId, holdId, itemId, txHash, toAddress }: Pair) =>
  inTransaction(worker, async (tx) => {
    await within(tx, organizationId, (own) => claimRedeemedBefore(own, claimId, { txHash, toAddress }))
    await lockItemRows(tx, [itemId])
    await asChainFact(tx, async () => {
      await advanceHolds(tx, [holdId], 'EXCEPTION', 'CONSUMED')
      await advanceHolds(tx, [holdId], 'HELD', 'CONSUMED')
    })
    await explainMint(tx, id, holdId)
    await within(tx, organizationId, (own) => resolveAlarm(own, 'foreign_mint', itemId))
  })
