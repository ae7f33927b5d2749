import { Prisma } from '../../../generated/prisma/client.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import type { AnyContext } from '../../platform/auth/context.ts'
import type { Place } from '../../platform/auth/suspended.ts'

const PURCHASE = columns('i', 'PurchaseIntent', ['id', 'status', 'fulfillmentStatus', 'currency'])
/** `total`: of all its units, in minor units of the currency. */
export type Undelivered = RowOf<typeof PURCHASE> & { total: string; refundable: boolean }
export type UndeliveredSums = { count: number; sums: { currency: string; total: string; count: number }[] }

/** Purchases that were paid, aren't refunded and haven't been delivered in full, oldest first. */
export const listUndelivered = (ctx: AnyContext, { organizationId, collectionId }: Place): Promise<Undelivered[]> =>
  ctx.sql<Undelivered>(Prisma.sql`
    SELECT ${Prisma.raw(PURCHASE)}, i.total::text,
      EXISTS (SELECT 1 FROM payments p WHERE p.intent_id = i.id AND p.state = 'SUCCEEDED') AS refundable
    FROM purchase_intents i JOIN listings l ON l.id = i.listing_id
    WHERE i.organization_id = ${organizationId}::uuid
      AND (${collectionId}::uuid IS NULL OR l.collection_id = ${collectionId}::uuid)
      AND i.total > 0 AND i.fulfillment_status <> 'COMPLETED'
      AND (i.status = 'CONFIRMED' OR EXISTS (SELECT 1 FROM payments p
          WHERE p.intent_id = i.id AND p.state IN ('SUCCEEDED', 'REFUNDING', 'DISPUTED')))
    ORDER BY i.id`)

/** Their number, and what was paid for them in each currency. */
export function sumsOf(purchases: readonly Undelivered[]): UndeliveredSums {
  const sums = new Map<string, { total: bigint; count: number }>()
  for (const { currency, total } of purchases) {
    const sum = sums.get(currency) ?? { total: 0n, count: 0 }
    sums.set(currency, { total: sum.total + BigInt(total), count: sum.count + 1 })
  }
  return {
    count: purchases.length,
    sums: [...sums].map(([currency, { total, count }]) => ({ currency, total: total.toString(), count })),
  }
}
