import { Prisma } from '../../../generated/prisma/client.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { secondsFrom } from '../../core/clock.ts'
import { log } from '../../core/log.ts'
import { isDatabaseDown } from '../../db/errors.ts'
import { lockPurchase } from './lock-purchase.ts'
import { purchaseFailed } from './purchase-failed.ts'
import { continuePurchase } from './continue-purchase.ts'

const BATCH = 200
/** Its own job is quicker, unless it was lost. */
const PATIENCE_SECONDS = 10
/** How long strangers' mints must stand before money goes back for them, where a network can undo blocks. */
const FINALITY_SECONDS = 1200

/** Looks after purchases that wait for more than a moment, and after those whose units strangers got. For the worker. */
export async function continuePurchases(ctx: Context): Promise<void> {
  for (const id of await lostUnits(ctx)) await each(id, () => noteLoss(ctx, id))
  const late = secondsFrom(ctx.now(), -PATIENCE_SECONDS).toISOString()
  const waiting = await ctx.sql<{ id: string }>(Prisma.sql`
    SELECT id::text FROM purchase_intents i
    WHERE updated_at < ${late}::timestamptz AND ((status = 'CONFIRMED' AND fulfillment_status = 'PENDING')
      OR (status <> 'UNRESOLVED' AND fulfillment_status = 'EXCEPTION' AND (units_state <> 'RETURNED'
        OR EXISTS (SELECT 1 FROM payments p WHERE p.intent_id = i.id AND p.state = 'SUCCEEDED'))))
    ORDER BY updated_at LIMIT ${BATCH}`)
  for (const { id } of waiting) await each(id, () => continuePurchase(ctx, id))
}

async function each(intentId: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (isDatabaseDown(error)) throw error
    log.error({ error, intentId }, 'A purchase could not be settled; it is tried again.')
  }
}

/** Purchases of which the chain gave away what they held, deep enough to stay so. A token of which a reorg undid the mint comes back. */
async function lostUnits(ctx: Context): Promise<string[]> {
  const instant = [...ctx.ports.chains.values()]
    .filter(({ network }) => network.finality === 'never')
    .map(({ network }) => network.id)
  const final = secondsFrom(ctx.now(), -FINALITY_SECONDS).toISOString()
  const rows = await ctx.sql<{ id: string }>(Prisma.sql`
    SELECT DISTINCT i.id::text FROM holds h
    LEFT JOIN email_claims e ON h.holder_type = 'CLAIM' AND e.id = h.holder_id
    JOIN purchase_intents i ON i.id = CASE WHEN h.holder_type = 'PURCHASE' THEN h.holder_id ELSE e.purchase_intent_id END
    JOIN listings l ON l.id = i.listing_id
    JOIN items t ON t.id = h.item_id AND t.minted > 0
    WHERE h.state = 'EXCEPTION' AND h.holder_type IN ('PURCHASE', 'CLAIM') AND i.status = 'CONFIRMED' AND i.fulfillment_status IN ('PENDING', 'ASSIGNED')
      AND (l.network_id = ANY(${instant}::int[]) OR h.updated_at < ${final}::timestamptz)
    LIMIT ${BATCH}`)
  return rows.map(({ id }) => id)
}

const noteLoss = (ctx: Context, id: string): Promise<void> =>
  inTransaction(ctx, async (reach) => {
    const { tx, intent } = await lockPurchase(reach, id)
    await purchaseFailed(tx, intent, 'Somebody else got it on the chain.')
  })
