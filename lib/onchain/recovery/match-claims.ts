import { type ItemHistory, Prisma } from '../../../generated/prisma/client.ts'
import { resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import { type Context, inTransaction, within, type WorkerContext } from '../../platform/auth/context.ts'
import { type DueRow, findReady, sweepAny } from '../../platform/jobs/sweep.ts'
import { crashPoint } from '../../core/crash.ts'
import { newId } from '../../core/id.ts'
import { claimRedeemedBefore } from '../../giving/on-token-delivered.ts'
import { advanceHolds, asChainFact } from '../../stock/advance-hold.ts'
import { lockItemRows } from '../../stock/lock-item-rows.ts'
import { nextRequestNumber } from '../../orders/next-request-number.ts'
import { openTransaction } from '../../orders/open-transaction.ts'
import { explainMint } from '../mints/explain-mint.ts'
import { advanceTransaction } from '../transactions/advance-transaction.ts'

const BATCH = 100
const TASK = { kind: 'match claim', failure: 'A claim could not be matched to the mint that delivered it.' } as const

type Pair = DueRow & { claimId: string; holdId: string; itemId: string }

/**
 * Claims of tokens of their own (ERC-721) that we minted, which the books don't know since they were put back from a backup: the token
 * was promised to nobody else, so the claim is delivered. Returns how many.
 */
export async function matchClaims(worker: WorkerContext, networkId: number): Promise<number> {
  const pairs = await findReady(worker, TASK, BATCH, ({ skip, take }) =>
    worker.sql<Pair>(Prisma.sql`
      SELECT u.id::text, u.organization_id::text AS "organizationId", u.item_id::text AS "itemId",
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

async function match(worker: WorkerContext, { id, organizationId, claimId, holdId, itemId }: Pair): Promise<void> {
  await inTransaction(worker, async (tx) => {
    const move = await tx.db.itemHistory.findFirstOrThrow({ where: { id } })
    await within(tx, organizationId, (own) => claimRedeemedBefore(own, claimId, move))
    await lockItemRows(tx, [itemId])
    await asChainFact(tx, async () => {
      await advanceHolds(tx, [holdId], 'EXCEPTION', 'CONSUMED')
      await advanceHolds(tx, [holdId], 'HELD', 'CONSUMED')
    })
    await explainMint(tx, id, holdId)
    await within(tx, organizationId, async (own) => {
      await recordDelivery(own, claimId, itemId, move)
      await resolveAlarm(own, 'foreign_mint', itemId)
    })
  })
  crashPoint('claim_matched')
}

/** The mint request that was lost, as far as the chain tells of it: the claim shows its transaction. */
async function recordDelivery(own: Context, claimId: string, itemId: string, move: ItemHistory): Promise<void> {
  const { collectionId, networkId, txHash, blockNumber, fromAddress: from, toAddress: to } = move
  const order = { collectionId, networkId, mints: { count: 1 }, isClosed: true }
  const transactionId = await openTransaction(
    own,
    move.type === 'TRANSFER'
      ? { ...order, txType: 'TRANSFER_TOKEN', payload: { item_id: itemId, from, to, quantity: '1' } }
      : { ...order, txType: 'ADMIN_MINT', payload: {} },
  )
  const done = { txHash, completedAt: own.now() }
  await advanceTransaction(own, { id: transactionId, state: 'PENDING' }, 'COMPLETED', {
    ...done,
    blockNumber,
    onChainStatus: 'SUCCESS',
    finalAt: own.now(),
  })
  await own.db.mintRequest.create({
    data: {
      id: newId(),
      organizationId: own.organizationId,
      collectionId,
      itemId,
      transactionId,
      claimId,
      toAddress: to,
      quantity: 1n,
      requestNumber: await nextRequestNumber(own, collectionId),
      state: 'COMPLETED',
      createdAt: own.now(),
      ...done,
    },
  })
}
