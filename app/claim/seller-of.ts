import { cache } from 'react'
import { buyerContext, unprovedPurchaseContext } from '@/lib/platform/auth/authenticate'
import { AppError } from '@/lib/core/errors'
import { isUuid } from '@/lib/core/id'
import { findSeller, type Seller } from '@/lib/organizations/find-seller'
import { anyone } from './anyone'

/** Whose claim, listing or wallet page it is; null for an unknown organization. */
export const sellerOf = cache(async (organizationId: string): Promise<Seller | null> => {
  if (!isUuid(organizationId)) return null
  return findSeller(buyerContext(await anyone(), organizationId), organizationId)
})

/** Who sold a purchase; null for an unknown one. It says nothing else of the purchase. */
export const sellerOfPurchase = cache(async (id: string): Promise<Seller | null> => {
  try {
    const ctx = await unprovedPurchaseContext(await anyone(), id)
    return await findSeller(ctx, ctx.organizationId)
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return null
    throw error
  }
})
