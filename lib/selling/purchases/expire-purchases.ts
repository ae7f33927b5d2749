import { type Context, inTransaction, type WorkerContext } from '../../platform/auth/context.ts'
import { sweep } from '../../platform/jobs/sweep.ts'
import { cancelPayment } from '../payments/cancel-payment.ts'
import { lockPurchase } from './lock-purchase.ts'
import { purchaseUnpaid } from './purchase-unpaid.ts'

const BATCH = 200
const CONCURRENCY = 5

/**
 * Ends purchases that weren't paid in time. A card payment is cancelled at the provider first; if it has succeeded
 * there, the purchase is paid. One with a voucher ends with its voucher (lib/onchain/vouchers/expire-vouchers.ts).
 * Returns how many were due.
 */
export async function expirePurchases(worker: WorkerContext): Promise<number> {
  const due = await worker.db.purchaseIntent.findMany({
    where: { status: 'PENDING', expiresAt: { lte: worker.now() }, vouchers: { none: { state: 'PENDING' } } },
    orderBy: { expiresAt: 'asc' },
    take: BATCH,
    select: {
      id: true,
      organizationId: true,
      payments: { where: { state: { not: 'CANCELLED' } }, select: { id: true } },
    },
  })
  await sweep(worker, due, 'An expired purchase could not be ended.', expire, { concurrency: CONCURRENCY })
  return due.length
}

async function expire(ctx: Context, { id, payments: [payment] }: { id: string; payments: { id: string }[] }) {
  if (payment) await cancelPayment(ctx, payment.id)
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
