import { Prisma } from '../../../generated/prisma/client.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import { supplyChanges } from './balances.ts'
import type { MatchedRow } from './history-rows.ts'

/** `sign` -1n undoes the moves. */
export async function changeSupply(tx: SystemContext, rows: readonly MatchedRow[], sign: 1n | -1n): Promise<void> {
  const changes = supplyChanges(rows)
  if (changes.length === 0) return
  await tx.sql(Prisma.sql`
    UPDATE items i SET minted = i.minted + c.minted, burned = i.burned + c.burned
    FROM unnest(
      ${changes.map(({ itemId }) => itemId)}::uuid[],
      ${changes.map(({ minted }) => String(minted * sign))}::text[]::bigint[],
      ${changes.map(({ burned }) => String(burned * sign))}::text[]::bigint[]
    ) AS c(id, minted, burned)
    WHERE i.id = c.id`)
}
