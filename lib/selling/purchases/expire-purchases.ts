import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { log } from '../../core/log.ts'
import { isDatabaseDown } from '../../db/errors.ts'
import { cancelPayment } from '../payments/cancel-payment.ts'
import { lockPurchase } from './lock-purchase.ts'
import { purchaseUnpaid } from './purchase-unpaid.ts'

const BATCH = 200
const AT_ONCE = 5

/**
 * Ends purchases that weren't paid in time. A card's payment is taken back at the provider first: if it has succeeded there, it is
 * paid. A voucher's ends with its voucher (lib/vouchers/expire-vouchers.ts). For the worker; answers how many were looked at.
 */
export async function expirePurchases(ctx: Context): Promise<number> {
  const due = await ctx.db.purchaseIntent.findMany({
    where: { status: 'PENDING', expiresAt: { lte: ctx.now() }, vouchers: { none: { state: 'PENDING' } } },
    orderBy: { expiresAt: 'asc' },
    take: BATCH,
    select: { id: true, payments: { where: { state: { not: 'CANCELLED' } }, select: { id: true } } },
  })
  for (let at = 0; at < due.length; at += AT_ONCE)
    await Promise.all(due.slice(at, at + AT_ONCE).map((intent) => expire(ctx, intent)))
  return due.length
}

async function expire(
  ctx: Context,
  { id, payments: [payment] }: { id: string; payments: { id: string }[] },
): Promise<void> {
  try {
    if (payment) await cancelPayment(ctx, payment.id)
    else await inTransaction(ctx, (tx) => endWithoutPayment(tx, id))
  } catch (error) {
    if (isDatabaseDown(error)) throw error
    log.error({ error, intentId: id }, 'A purchase past its time could not be ended.')
  }
}

/** Nothing was given out that it could be paid with: its request died before. */
async function endWithoutPayment(reach: Context, id: string): Promise<void> {
  const { tx } = await lockPurchase(reach, id)
  const voucher = await tx.db.voucher.findFirst({
    where: { purchaseIntentId: id, state: 'PENDING' },
    select: { id: true },
  })
  if (!voucher) await purchaseUnpaid(tx, id)
}
