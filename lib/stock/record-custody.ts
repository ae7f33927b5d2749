import { Prisma } from '../../generated/prisma/client.ts'
import type { SystemContext } from '../platform/auth/context.ts'

/**
 * Items whose token came to one of our operators, or went from one to another of ours, and items whose token left them.
 */
export type CustodyChange = { came: string[]; went: string[] }

/**
 * Records which of our operators owns the token of each of these items, by item_owners. Only tokens count that our own
 * contract can move: ERC-721, deployed by us, not soulbound.
 */
export async function recordCustody(tx: SystemContext, itemIds: readonly string[]): Promise<CustodyChange> {
  if (itemIds.length === 0) return { came: [], went: [] }
  const changed = await tx.sql<{ id: string; kept_by: string | null }>(Prisma.sql`
    UPDATE items i SET kept_by = now.operator
    FROM (
      SELECT i.id, (
        SELECT o.address FROM item_owners o
          JOIN operator_lanes l ON l.network_id = c.network_id AND l.operator = o.address
        WHERE o.item_id = i.id AND o.quantity = 1 ORDER BY o.address LIMIT 1) AS operator
      FROM items i JOIN collections c ON c.id = i.collection_id
      WHERE i.id = ANY(${[...itemIds]}::uuid[]) AND c.token_type = 'ERC721'
        AND c.deployment_type = 'PLATFORM' AND NOT c.soulbound
    ) now
    WHERE i.id = now.id AND i.kept_by IS DISTINCT FROM now.operator
    RETURNING i.id::text, i.kept_by`)
  return {
    came: changed.filter((row) => row.kept_by !== null).map(({ id }) => id),
    went: changed.filter((row) => row.kept_by === null).map(({ id }) => id),
  }
}
