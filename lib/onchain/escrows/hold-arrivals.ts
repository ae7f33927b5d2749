import { Prisma } from '../../../generated/prisma/client.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import { holdArrivals } from '../../stock/hold-units.ts'
import { mintKey } from '../indexer/moves-of.ts'
import type { MatchedRow } from '../indexer/history-rows.ts'

const ITEM = columns('i', 'Item', ['organizationId', 'collectionId'])

/**
 * Holds tokens that holders sent to our operators by a signature that the books don't know, or by anything while the
 * books are behind the chain: their holder may have sent them to a mailbox, in a transaction that was lost with newer
 * rows of the database. Who sent it is decided later (lib/onchain/recovery). Call it after the escrows that are known
 * were opened; the items must be locked.
 */
export async function holdUnknownArrivals(
  tx: SystemContext,
  arrived: readonly MatchedRow[],
  nonces: ReadonlyMap<string, bigint>,
): Promise<void> {
  if (arrived.length === 0) return
  const unknown = await tx.sql<RowOf<typeof ITEM> & { arrivalId: string; itemId: string }>(
    Prisma.sql`
    SELECT DISTINCT ON (i.id) m.id AS "arrivalId", ${Prisma.raw(ITEM)}, i.id AS "itemId"
    FROM unnest(
        ${arrived.map(({ id }) => id)}::uuid[],
        ${arrived.map(({ itemId }) => itemId)}::uuid[],
        ${arrived.map(({ fromAddress }) => fromAddress)}::text[],
        ${arrived.map((move) => nonces.get(mintKey(move))?.toString() ?? null)}::text[]
      ) AS m(id, item_id, from_address, nonce)
      JOIN items i ON i.id = m.item_id
    WHERE NOT EXISTS (SELECT 1 FROM escrows e
        WHERE e.item_id = i.id AND e.state IN ('HELD', 'OFFERED', 'RETURNING', 'RETURN_REFUSED'))
      AND CASE WHEN m.nonce IS NULL
        THEN EXISTS (SELECT 1 FROM recoveries r WHERE r.network_id = ${arrived[0]!.networkId} AND r.ended_at IS NULL)
        ELSE NOT EXISTS (SELECT 1 FROM signed_transfers s
          WHERE s.collection_id = i.collection_id AND s.from_address = m.from_address
            AND s.nonce = m.nonce::numeric) END
    ORDER BY i.id, m.id DESC`,
  )
  await holdArrivals(tx, unknown)
}
