import type { Hex } from 'viem'
import { Prisma } from '../../../generated/prisma/client.ts'
import type { SystemContext } from '../../platform/auth/context.ts'

export type Unentered = { hash: Hex; blockNumber: bigint }

/**
 * Those of a network's own transactions (`t`, restricted by `which`) of which a mint or a transfer is completed, by its
 * receipt, and isn't entered, or not all mints that go to the same item are.
 */
export const findUnentered = (ctx: SystemContext, networkId: number, which: Prisma.Sql): Promise<Unentered[]> =>
  ctx.sql<Unentered>(Prisma.sql`
    SELECT m.tx_hash AS hash, t.block_number AS "blockNumber" FROM transactions t
    JOIN mint_requests m ON m.transaction_id = t.id AND m.state = 'COMPLETED'
    WHERE t.network_id = ${networkId} AND ${which}
    GROUP BY m.tx_hash, t.block_number, m.item_id
    HAVING sum(m.quantity) > coalesce((
      SELECT sum(h.quantity) FROM item_history h
      WHERE h.network_id = ${networkId} AND h.tx_hash = m.tx_hash AND h.item_id = m.item_id), 0)
    UNION
    SELECT s.tx_hash, t.block_number FROM transactions t
    JOIN signed_transfers s ON s.organization_id = t.organization_id AND s.transaction_id = t.id
      AND s.state = 'COMPLETED' AND s.tx_hash = t.tx_hash
    WHERE t.network_id = ${networkId} AND ${which} AND NOT EXISTS (
      SELECT 1 FROM item_history h
      WHERE h.network_id = ${networkId} AND h.tx_hash = s.tx_hash AND h.token_id = s.token_id
        AND h.from_address = s.from_address AND h.to_address = s.to_address)`)
