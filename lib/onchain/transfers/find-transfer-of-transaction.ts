import type { Context } from '../../platform/auth/context.ts'
import { TRANSFER_SHOWN, transferOf } from './show-transfer.ts'

/** The transfer that a transaction carries; null for a transaction of another type. */
export async function findTransferOfTransaction(ctx: Context, transactionId: string) {
  const row = await ctx.db.signedTransfer.findFirst({ where: { transactionId }, include: TRANSFER_SHOWN })
  return row && transferOf(ctx, row)
}
