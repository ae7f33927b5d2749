import type { Output } from '../api/endpoint.ts'
import type { getAdminPurchaseIntent as endpoint } from '../api/purchases.ts'
import type { Context } from '../auth/context.ts'
import { readPurchase } from './read-purchase.ts'
import { adminPurchaseOf } from './show-purchase.ts'

export const getPurchase = async (ctx: Context, id: string): Promise<Output<typeof endpoint>> => adminPurchaseOf(ctx, await readPurchase(ctx, id))
