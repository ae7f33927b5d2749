import { Prisma } from '../../../generated/prisma/client.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import { inTransaction, type SystemContext } from '../../platform/auth/context.ts'
import { projectUnmatchedMoves } from './project-logs.ts'

/** Moves without an item that are looked at in one step. */
const MOVES_PER_STEP = 1_000

const PLACE = columns('h', 'ItemHistory', ['id', 'collectionId', 'tokenId'])
/** The last move that was looked at. */
export type MatchPlace = RowOf<typeof PLACE>

type Unmatched = MatchPlace & { hasItem: boolean }

/**
 * Projects moves of tokens that had no item when they were seen, and have one now, because the item was locked with
 * this token id since. A step looks at a bounded number of moves, however many there are that never get an item, and
 * returns where the next one begins; null: at the first move again.
 */
export async function matchMoves(
  worker: SystemContext,
  networkId: number,
  after: MatchPlace | null = null,
): Promise<{ projected: number; next: MatchPlace | null }> {
  const rest = after
    ? Prisma.sql`AND (collection_id, token_id, id) > (${after.collectionId}::uuid, ${after.tokenId}, ${after.id}::uuid)`
    : Prisma.empty
  const moves = await worker.sql<Unmatched>(Prisma.sql`
    SELECT ${Prisma.raw(PLACE)}, i.id IS NOT NULL AS "hasItem"
    FROM (
      SELECT id, collection_id, token_id FROM item_history WHERE network_id = ${networkId} AND item_id IS NULL ${rest}
      ORDER BY collection_id, token_id, id LIMIT ${MOVES_PER_STEP}) h
    LEFT JOIN items i ON i.collection_id = h.collection_id AND i.token_id = h.token_id
    ORDER BY h.collection_id, h.token_id, h.id`)
  const ids = moves.filter(({ hasItem }) => hasItem).map(({ id }) => id)
  const projected = ids.length > 0 ? await inTransaction(worker, (tx) => projectUnmatchedMoves(tx, ids)) : 0
  return { projected, next: moves.length === MOVES_PER_STEP ? moves.at(-1)! : null }
}
