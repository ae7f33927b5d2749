import { Prisma } from '../../../generated/prisma/client.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import { lockItemRows } from '../../stock/lock-item-rows.ts'
import type { Move } from './moves-of.ts'

type Touched = Pick<Move, 'collectionId' | 'tokenId'>

/**
 * Locks everything that projecting these moves changes or may have to pause, in the order in which buyers lock it: the
 * listings of the items and of their collections, then the items.
 */
export async function lockStock(tx: SystemContext, moves: readonly Touched[]): Promise<void> {
  if (moves.length === 0) return
  const items = await tx.sql<{ id: string }>(Prisma.sql`
    SELECT DISTINCT i.id::text FROM items i
    JOIN unnest(${moves.map(({ collectionId }) => collectionId)}::uuid[],
        ${moves.map(({ tokenId }) => tokenId)}::text[]) AS m(collection_id, token_id)
      ON i.collection_id = m.collection_id AND i.token_id = m.token_id`)
  const ids = items.map(({ id }) => id)
  await tx.sql(Prisma.sql`
    SELECT 1 FROM listings
    WHERE status IN ('DRAFT', 'SCHEDULED', 'ACTIVE', 'PAUSED')
      AND collection_id = ANY(${[...new Set(moves.map(({ collectionId }) => collectionId))]}::uuid[])
      AND (item_id IS NULL OR item_id = ANY(${ids}::uuid[]))
    ORDER BY id FOR NO KEY UPDATE`)
  await lockItemRows(tx, ids)
}
