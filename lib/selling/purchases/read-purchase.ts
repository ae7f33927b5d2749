import type { Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { withCollection } from '../../catalog/items/show-item.ts'

const newest = { orderBy: { id: 'desc' } } as const

/** A purchase with everything that its views show. A `take` here would be a statement for each purchase of a list. */
const inFull = {
  include: {
    listing: true,
    units: { include: { item: withCollection }, orderBy: { itemId: 'asc' } },
    payments: { ...newest, where: { state: { not: 'CANCELLED' } } },
    claims: {
      ...newest,
      include: {
        mintRequests: { ...newest, include: { transaction: true } },
        vouchers: newest,
      },
    },
    mintRequests: { ...newest, include: { transaction: true } },
    vouchers: newest,
  },
} as const satisfies Prisma.PurchaseIntentDefaultArgs

export type PurchaseRow = Prisma.PurchaseIntentGetPayload<typeof inFull>

export async function readPurchase(ctx: Context, id: string): Promise<PurchaseRow> {
  const row = await ctx.db.purchaseIntent.findFirst({ where: { id }, ...inFull })
  if (!row) throw notFound()
  return row
}
