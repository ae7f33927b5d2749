import type { PurchaseIntent } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'

/** The open voucher purchase of an address at a listing; there is at most one. */
export const findOpenVoucher = (ctx: Context, listingId: string, address: string): Promise<PurchaseIntent | null> =>
  ctx.db.purchaseIntent.findFirst({
    where: {
      listingId,
      provider: 'MINT_VOUCHER',
      buyerAddress: address,
      status: 'PENDING',
      expiresAt: { gt: ctx.now() },
    },
    orderBy: { id: 'desc' },
  })
