import type { PurchaseIntent } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { AppError } from '../../core/errors.ts'

/** The open voucher purchase of an address at a listing; there is at most one. */
const findOpenVoucher = (ctx: Context, listingId: string, address: string): Promise<PurchaseIntent | null> =>
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

/** The refusal for an address whose open voucher purchase is of another quantity. */
export const purchaseOpen = (id: string) =>
  new AppError(
    'purchase_open',
    'A purchase of another quantity is open for this address. Pay it, let it expire, or close it with a signature of the address.',
    { extra: { purchase_intent_id: id } },
  )
