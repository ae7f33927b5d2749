import { Prisma } from '../../generated/prisma/client.ts'
import type { AnyContext, Context } from '../platform/auth/context.ts'
import type { Holder } from './hold-units.ts'

// Lock order: claims, purchase, payment, listing, items, holds, collection. A change of a hold changes its item's
// counters, and those the collection's: whoever changes holds of several items locks all of these items before.

/**
 * Locks items until the transaction ends, in the order of their ids. Others may still insert rows that refer to them.
 */
export async function lockItemRows(tx: AnyContext, itemIds: readonly string[]): Promise<void> {
  if (itemIds.length === 0) return
  await tx.sql(Prisma.sql`
    SELECT 1 FROM items WHERE id = ANY(${[...itemIds]}::uuid[]) ORDER BY id FOR NO KEY UPDATE`)
}

/** Locks the items of which a holder holds units until the transaction ends, in the order of their ids. */
export async function lockItemsOfHolder(tx: Context, { type, id }: Holder): Promise<void> {
  await tx.sql(Prisma.sql`
    SELECT 1 FROM items
    WHERE id IN (SELECT item_id FROM holds
      WHERE holder_type = ${type}::"HolderType" AND holder_id = ${id}::uuid AND state IN ('HELD', 'EXCEPTION'))
    ORDER BY id FOR NO KEY UPDATE`)
}
