import type { Output } from '../../platform/api/endpoint.ts'
import type { getAdminPurchaseIntent as endpoint } from '../../platform/api/purchases.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { findPurchase } from './find-purchases.ts'
import { adminViewOf } from './show-purchase.ts'

export async function getPurchase(ctx: Context, id: string): Promise<Output<typeof endpoint>> {
  const found = await findPurchase(ctx, id)
  if (!found) throw notFound()
  return adminViewOf(ctx, found.row, found.timeline)
}
