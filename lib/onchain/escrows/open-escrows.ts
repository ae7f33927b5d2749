import { Prisma } from '../../../generated/prisma/client.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import { inOrganization, type SystemContext } from '../../platform/auth/context.ts'
import { holdInEscrow } from '../../stock/hold-units.ts'
import { mintKey, type Move } from '../indexer/moves-of.ts'
import { advanceEscrow } from './advance-escrow.ts'

type Arrived = Pick<Move, 'fromAddress' | 'toAddress' | 'txHash' | 'logIndex'> & { itemId: string }

const ESCROW = columns('e', 'Escrow', ['organizationId', 'collectionId', 'itemId'])

/**
 * Opens the escrows whose tokens have come to their operators, in the transaction that enters the log: from its first
 * moment in custody each is held for its recipient. An escrow is known by the nonce that its holder signed with,
 * whoever sent the transfer, else by item, sender and operator: a node may leave out the log of the nonce, and a holder
 * who sends the token himself meanwhile means the same. The items must be locked.
 */
export async function openEscrows(
  tx: SystemContext,
  arrived: readonly Arrived[],
  nonces: ReadonlyMap<string, bigint>,
): Promise<void> {
  if (arrived.length === 0) return
  const due = await tx.sql<RowOf<typeof ESCROW> & { escrowId: string }>(Prisma.sql`
    SELECT DISTINCT ON (e.item_id) e.id AS "escrowId", ${Prisma.raw(ESCROW)}
    FROM unnest(
        ${arrived.map(({ itemId }) => itemId)}::uuid[],
        ${arrived.map(({ fromAddress }) => fromAddress)}::text[],
        ${arrived.map(({ toAddress }) => toAddress)}::text[],
        ${arrived.map((move) => nonces.get(mintKey(move))?.toString() ?? '')}::text[]
      ) AS m(item_id, from_address, to_address, nonce)
      JOIN items i ON i.id = m.item_id
      JOIN escrows e ON e.organization_id = i.organization_id AND e.item_id = i.id AND e.from_address = m.from_address
        AND e.operator = m.to_address AND e.state = 'WAITING'
      JOIN signed_transfers s ON s.organization_id = e.organization_id AND s.id = e.id
    ORDER BY e.item_id, s.nonce::text = m.nonce DESC, e.id DESC`)
  await holdInEscrow(tx, due)
  for (const { escrowId, organizationId } of due)
    await inOrganization(tx, organizationId, (own) => advanceEscrow(own, { id: escrowId, state: 'WAITING' }, 'HELD'))
}
