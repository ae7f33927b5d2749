import { type Context, inTransaction, type WorkerContext } from '../../platform/auth/context.ts'
import { recoveringNetworks } from '../../orders/recovering.ts'
import { findReady, sweep } from '../../platform/jobs/sweep.ts'
import { cancelPayment } from '../payments/cancel-payment.ts'
import { NOT_RECOVERING } from '../payments/recovery.ts'
import { lockPurchase } from './lock-purchase.ts'
import { purchaseUnpaid } from './purchase-unpaid.ts'

const BATCH = 200
const TASK = { kind: 'expire purchases', failure: 'An expired purchase could not be ended.' }
const CONCURRENCY = 5

/**
 * Ends purchases that weren't paid in time. A card payment is cancelled at the provider first; if it has succeeded
 * there, the purchase is paid. Purchases of an account or a network that recovers wait. One with a voucher ends with its voucher
 * (lib/onchain/vouchers/expire-vouchers.ts). Returns how many were due.
 */
export async function expirePurchases(worker: WorkerContext): Promise<number> {
  const recovering = await recoveringNetworks(worker)
  const due = await findReady(worker, TASK, BATCH, (range) =>
    worker.db.purchaseIntent.findMany({
      where: {
        status: 'PENDING',
        expiresAt: { lte: worker.now() },
        listing: { networkId: { notIn: recovering } },
        vouchers: { none: { OR: [{ state: 'PENDING' }, { facts: { some: {} } }] } },
        payments: { every: NOT_RECOVERING },
      },
      orderBy: [{ expiresAt: 'asc' }, { id: 'asc' }],
      select: {
        id: true,
        organizationId: true,
        payments: { where: { state: { not: 'CANCELLED' } }, select: { id: true } },
      },
      ...range,
    }),
  )
  await sweep(worker, TASK, due, expire, { concurrency: CONCURRENCY })
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
