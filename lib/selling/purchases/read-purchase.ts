import type { Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { withCollection } from '../../catalog/items/show-item.ts'

const newest = { orderBy: { id: 'desc' } } as const

/** A purchase with everything that its views show. */
export const inFull = {
  include: {
    listing: true,
    units: { include: { item: withCollection }, orderBy: { itemId: 'asc' } },
    payments: { ...newest, where: { state: { not: 'CANCELLED' } }, take: 1 },
    claims: {
      ...newest,
      include: {
        mintRequests: { ...newest, take: 1, include: { transaction: true } },
        vouchers: { ...newest, take: 1 },
      },
    },
    mintRequests: { ...newest, include: { transaction: true } },
    vouchers: { ...newest, take: 1 },
  },
} as const satisfies Prisma.PurchaseIntentDefaultArgs

export type PurchaseRow = Prisma.PurchaseIntentGetPayload<typeof inFull>

export async function readPurchase(ctx: Context, id: string): Promise<PurchaseRow> {
  const row = await ctx.db.purchaseIntent.findFirst({ where: { id }, ...inFull })
  if (!row) throw notFound()
  return row
}
