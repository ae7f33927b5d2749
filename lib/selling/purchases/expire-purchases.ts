import { Prisma } from '../../../generated/prisma/client.ts'
import { type Context, inTransaction, type SystemContext } from '../../platform/auth/context.ts'
import { isRecoveringSql } from '../../orders/recovering.ts'
import { type DueRow, findReady, sweep } from '../../platform/jobs/sweep.ts'
import { cancelPayment } from '../payments/cancel-payment.ts'
import { lockPurchase } from './lock-purchase.ts'
import { purchaseUnpaid } from './purchase-unpaid.ts'

const BATCH = 200
const TASK = { kind: 'expire purchases', failure: 'An expired purchase could not be ended.' } as const
const CONCURRENCY = 5

/**
 * Ends purchases that weren't paid in time. A card payment is cancelled at the provider first; if it has succeeded
 * there, the purchase is paid. Purchases of an account or a collection that recovers wait. One with a voucher ends with
 * its voucher (lib/onchain/vouchers/expire-vouchers.ts). Returns how many were due.
 */
export async function expirePurchases(worker: SystemContext): Promise<number> {
  const now = worker.now().toISOString()
  const due = await findReady(worker, TASK, BATCH, ({ skip, take }) =>
    worker.sql<Expired>(Prisma.sql`
    SELECT i.id::text, i.organization_id::text AS "organizationId",
      (SELECT p.id::text FROM payments p WHERE p.intent_id = i.id AND p.state <> 'CANCELLED') AS "paymentId"
    FROM purchase_intents i JOIN listings l ON l.id = i.listing_id
    WHERE i.status = 'PENDING' AND i.expires_at <= ${now}::timestamptz
      AND NOT ${isRecoveringSql(Prisma.sql`l.collection_id`)}
      AND NOT EXISTS (
        SELECT 1 FROM vouchers v WHERE v.purchase_intent_id = i.id
          AND (v.state = 'PENDING' OR EXISTS (SELECT 1 FROM voucher_facts f WHERE f.voucher_id = v.id)))
      AND NOT EXISTS (
        SELECT 1 FROM payments p JOIN payment_integrations a ON a.id = p.integration_id
        WHERE p.intent_id = i.id AND a.recovering_since IS NOT NULL)
    ORDER BY i.expires_at, i.id LIMIT ${take} OFFSET ${skip}`),
  )
  await sweep(worker, TASK, due, expire, { concurrency: CONCURRENCY })
  return due.length
}

/** `paymentId`: of its one payment that isn't cancelled. */
type Expired = DueRow & { paymentId: string | null }

async function expire(ctx: Context, { id, paymentId }: Expired) {
  if (paymentId !== null) await cancelPayment(ctx, paymentId)
  else await inTransaction(ctx, (tx) => endWithoutPayment(tx, id))
}

/** There is neither payment nor voucher: its request died before. */
async function endWithoutPayment(tx: Context, id: string): Promise<void> {
  await lockPurchase(tx, id)
  const voucher = await tx.db.voucher.findFirst({
    where: { purchaseIntentId: id, state: 'PENDING' },
    select: { id: true },
  })
  if (!voucher) await purchaseUnpaid(tx, id)
}
