import { type Collection, Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { AppError } from '../../core/errors.ts'

/** Totals of a collection's locked items. */
export type LockedStock = {
  items: bigint
  /** Units of all items together; null when one of them has no limit. */
  units: bigint | null
  maxPerItem: bigint
  highestTokenId: bigint
}
export type SupplyTerms = Pick<Collection, 'tokenType' | 'tokenIdAssignment' | 'maxSupply'>

/** Sums up a collection's locked items. Call it with the collection locked. */
export async function lockedStockOf(tx: Context, collectionId: string): Promise<LockedStock> {
  const [row] = await tx.sql<{
    items: bigint
    units: string
    unlimited: bigint
    most: bigint
    highest: string
  }>(Prisma.sql`
    SELECT count(*) AS items, coalesce(sum(max_supply), 0)::text AS units,
      count(*) FILTER (WHERE max_supply IS NULL) AS unlimited,
      coalesce(max(max_supply), 0) AS most, coalesce(max(token_id::numeric), 0)::text AS highest
    FROM items
    WHERE organization_id = ${tx.organizationId}::uuid AND collection_id = ${collectionId}::uuid
      AND locked_at IS NOT NULL`)
  if (!row) throw new Error('The totals of a collection returned no row.')
  return {
    items: row.items,
    units: row.unlimited > 0n ? null : BigInt(row.units),
    maxPerItem: row.most,
    highestTokenId: BigInt(row.highest),
  }
}

/** The totals once so many items more are locked, each of `maxSupply` units. */
export const withMore = (
  locked: LockedStock,
  { count, maxSupply, lastTokenId }: { count: bigint; maxSupply: bigint | null; lastTokenId: bigint },
): LockedStock => ({
  items: locked.items + count,
  units: locked.units === null || maxSupply === null ? null : locked.units + count * maxSupply,
  maxPerItem: maxSupply !== null && maxSupply > locked.maxPerItem ? maxSupply : locked.maxPerItem,
  highestTokenId: lastTokenId,
})

/** Throws `supply_invalid` when the contract's terms can't mint what is locked in the collection. */
export function assertSupply(terms: SupplyTerms, locked: LockedStock): void {
  if (terms.tokenType === 'ERC721' && locked.maxPerItem > 1n)
    throw refused('An ERC-721 item has one unit: a locked item of this collection has more.')
  if (terms.tokenType === null || terms.maxSupply === null) return
  if (terms.tokenType === 'ERC721' && terms.tokenIdAssignment === 'AUTOMATIC') {
    if (locked.highestTokenId > terms.maxSupply)
      throw refused(
        `The collection ends at token id ${terms.maxSupply}, and its locked items go up to ${locked.highestTokenId}.`,
      )
    return
  }
  if (locked.items > 0n && locked.units === null)
    throw refused('The collection has a max_supply, so each of its items needs one too.')
  if ((locked.units ?? 0n) > terms.maxSupply)
    throw refused(`The collection has ${terms.maxSupply} units at most, and its locked items need ${locked.units}.`)
}

const refused = (detail: string) => new AppError('supply_invalid', detail)
