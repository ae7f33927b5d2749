import type { Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'

/**
 * Whether the chain says something of these vouchers that isn't applied yet. While it does, nobody may conclude from a
 * voucher's state that it was used or that it wasn't. Call it with the voucher's claim or purchase locked.
 */
export const hasUnappliedFacts = async (tx: Context, voucher: Prisma.VoucherWhereInput): Promise<boolean> =>
  (await tx.db.voucherFact.findFirst({ where: { voucher }, select: { id: true } })) !== null
