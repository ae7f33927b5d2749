import { Prisma, type PurchaseIntent } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { RECOVERING } from '../../orders/recovering.ts'

/**
 * Whether a purchase can't be delivered, ended or refunded now: the books of its collection are behind the chain, which
 * may have delivered it, or it isn't known yet who minted an item of it.
 */
export async function waitsForRecovery(
  tx: Context,
  { id, listingId }: Pick<PurchaseIntent, 'id' | 'listingId'>,
): Promise<boolean> {
  const [row] = await tx.sql<{ waits: boolean }>(Prisma.sql`
    SELECT EXISTS (SELECT 1 FROM listings l JOIN collections c ON c.id = l.collection_id
        WHERE l.id = ${listingId}::uuid AND ${Prisma.raw(RECOVERING)})
      OR EXISTS (SELECT 1 FROM unmatched_mints u JOIN purchase_units p ON p.item_id = u.item_id
        WHERE p.intent_id = ${id}::uuid AND u.state = 'UNCHECKED') AS waits`)
  return row!.waits
}

/** Holds of a purchase whose item was minted by us, and no promise explains for whom: a backup was put back. */
export async function countMintedByUs(tx: Context, { id }: Pick<PurchaseIntent, 'id'>): Promise<number> {
  const [row] = await tx.sql<{ count: number }>(Prisma.sql`
    SELECT count(*)::int AS count FROM holds h
    WHERE h.holder_type = 'PURCHASE' AND h.holder_id = ${id}::uuid AND h.state = 'EXCEPTION'
      AND EXISTS (SELECT 1 FROM unmatched_mints u WHERE u.item_id = h.item_id AND u.state = 'OURS')`)
  return row!.count
}
