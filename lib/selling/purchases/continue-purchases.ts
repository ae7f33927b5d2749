import { Prisma } from '../../../generated/prisma/client.ts'
import { type Context, inTransaction, type SystemContext } from '../../platform/auth/context.ts'
import { secondsFrom } from '../../core/clock.ts'
import { type DueRow, findReady, sweep } from '../../platform/jobs/sweep.ts'
import { isRecoveringSql } from '../../orders/recovering.ts'
import { lockPurchase } from './lock-purchase.ts'
import { purchaseFailed } from './purchase-failed.ts'
import { continuePurchase } from './continue-purchase.ts'

const BATCH = 200
/** The purchase's own job is quicker, unless it was lost. */
const JOB_LOST_SECONDS = 10
/** How long a foreign mint must stand before its purchase is refunded, on networks where blocks can be undone. */
const FINALITY_SECONDS = 1200
const TASK = { kind: 'continue purchases', failure: 'A purchase could not be continued; it is tried again.' } as const

/**
 * Continues purchases whose own job was lost, or which waited while they were suspended, and those whose units were
 * minted to another address.
 */
export async function continuePurchases(worker: SystemContext): Promise<void> {
  const purchases = await findLostUnits(worker)
  const lost = await findReady(worker, TASK, BATCH, ({ skip, take }) =>
    Promise.resolve(purchases.slice(skip, skip + take)),
  )
  await sweep(worker, TASK, lost, recordLoss)
  const late = secondsFrom(worker.now(), -JOB_LOST_SECONDS).toISOString()
  const waiting = await findReady(worker, TASK, BATCH, ({ skip, take }) =>
    worker.sql<DueRow>(Prisma.sql`
    SELECT id::text, organization_id::text AS "organizationId" FROM (
      SELECT id, organization_id, updated_at FROM purchase_intents i
      WHERE updated_at < ${late}::timestamptz AND status = 'CONFIRMED' AND fulfillment_status = 'PENDING'
        AND NOT EXISTS (SELECT 1 FROM listings l
          WHERE l.id = i.listing_id AND is_suspended(l.organization_id, l.collection_id))
      UNION ALL
      SELECT id, organization_id, updated_at FROM purchase_intents i
      WHERE updated_at < ${late}::timestamptz AND status <> 'UNRESOLVED' AND fulfillment_status = 'EXCEPTION'
        AND (units_state <> 'RETURNED'
          OR EXISTS (SELECT 1 FROM payments p WHERE p.intent_id = i.id AND p.state = 'SUCCEEDED'))) waiting
    ORDER BY updated_at, id LIMIT ${take} OFFSET ${skip}`),
  )
  await sweep(worker, TASK, waiting, (ctx, { id }) => continuePurchase(ctx, id))
}

/** Sorts before every id. */
const NIL = '00000000-0000-0000-0000-000000000000'
const PAGE = 1_000

/**
 * Purchases whose holds became EXCEPTION by a foreign mint that is final, or old enough. A hold that a reorg restored
 * isn't among them. Row-level security hides from the planner how few holds are EXCEPTION: pages in the order of an
 * index keep it from reading all of them.
 */
async function findLostUnits(worker: SystemContext): Promise<DueRow[]> {
  const lost = new Map<string, DueRow>()
  for (let after = NIL; ;) {
    const page = await worker.sql<{ id: string }>(
      Prisma.sql`SELECT id::text FROM holds WHERE state = 'EXCEPTION' AND id > ${after}::uuid
        ORDER BY holds.id LIMIT ${PAGE}`,
    )
    const holdIds = page.map(({ id }) => id)
    if (holdIds.length > 0) for (const row of await findPurchasesOf(worker, holdIds)) lost.set(row.id, row)
    if (holdIds.length < PAGE) return [...lost.values()]
    after = holdIds.at(-1)!
  }
}

function findPurchasesOf(worker: SystemContext, holdIds: readonly string[]): Promise<DueRow[]> {
  const instant = [...worker.ports.chains.values()]
    .filter(({ network }) => network.finality === 'never')
    .map(({ network }) => network.id)
  const final = secondsFrom(worker.now(), -FINALITY_SECONDS).toISOString()
  return worker.sql<DueRow>(Prisma.sql`
    SELECT DISTINCT i.id::text, i.organization_id::text AS "organizationId" FROM holds h
    LEFT JOIN email_claims e ON h.holder_type = 'CLAIM' AND e.id = h.holder_id
    JOIN purchase_intents i ON i.id = CASE WHEN h.holder_type = 'PURCHASE' THEN h.holder_id
      ELSE e.purchase_intent_id END
    JOIN listings l ON l.id = i.listing_id
    JOIN items t ON t.id = h.item_id AND t.minted > 0
    WHERE h.id = ANY(${holdIds}::uuid[]) AND NOT ${isRecoveringSql(Prisma.sql`l.collection_id`)}
      AND NOT EXISTS (SELECT 1 FROM unmatched_mints u WHERE u.item_id = h.item_id AND u.state IN ('UNCHECKED', 'OURS'))
      AND h.state = 'EXCEPTION' AND h.holder_type IN ('PURCHASE', 'CLAIM') AND i.status = 'CONFIRMED'
      AND i.fulfillment_status IN ('PENDING', 'ASSIGNED')
      AND (l.network_id = ANY(${instant}::int[]) OR h.updated_at < ${final}::timestamptz)
    ORDER BY 1`)
}

const recordLoss = (ctx: Context, { id }: DueRow): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    const intent = await lockPurchase(tx, id)
    await purchaseFailed(tx, intent, 'Somebody else got it on the chain.')
  })
