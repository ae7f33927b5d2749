import type { Address } from 'viem'
import type { Listing, PurchaseIntent } from '../../../generated/prisma/client.ts'
import { unprovedPurchaseContext } from '../../platform/auth/authenticate.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'

export type OpenVoucherPurchase = PurchaseIntent & { listing: Listing }

/**
 * An open voucher purchase, for whoever is to prove by a signature that its address is theirs. Throws `not_found` for
 * any other purchase. The context that it gives may do nothing before that is proved.
 */
export async function getUnprovedPurchase(
  anyone: Context,
  id: string,
): Promise<{ ctx: Context; address: Address; purchase: OpenVoucherPurchase }> {
  const ctx = await unprovedPurchaseContext(anyone, id)
  const purchase = await ctx.db.purchaseIntent.findFirst({
    where: { id, provider: 'MINT_VOUCHER', status: 'PENDING', expiresAt: { gt: ctx.now() } },
    include: { listing: true },
  })
  if (!purchase?.buyerAddress) throw notFound()
  return { ctx, purchase, address: purchase.buyerAddress as Address }
}
