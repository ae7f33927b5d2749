import type { Output } from '../../platform/api/endpoint.ts'
import type { getAdminPurchaseIntent as endpoint } from '../../platform/api/purchases.ts'
import type { Context } from '../../platform/auth/context.ts'
import { readPurchase } from './read-purchase.ts'
import { adminPurchaseOf } from './show-purchase.ts'

export const getPurchase = async (ctx: Context, id: string): Promise<Output<typeof endpoint>> =>
  adminPurchaseOf(ctx, await readPurchase(ctx, id))
