import { Prisma } from '../../../generated/prisma/client.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import { ownerChanges } from './balances.ts'
import type { MatchedRow } from './history-rows.ts'

/** `sign` -1n undoes the moves. */
export async function changeOwners(tx: SystemContext, rows: readonly MatchedRow[], sign: 1n | -1n): Promise<void> {
  const changes = ownerChanges(rows)
  if (changes.length === 0) return
  const organizations = new Map(rows.map(({ itemId, organizationId }) => [itemId, organizationId]))
  const itemIds = changes.map(({ itemId }) => itemId)
  await tx.sql(Prisma.sql`
    INSERT INTO item_owners AS o (organization_id, item_id, address, quantity)
    SELECT * FROM unnest(
      ${itemIds.map((itemId) => organizations.get(itemId)!)}::uuid[],
      ${itemIds}::uuid[],
      ${changes.map(({ address }) => address)}::text[],
      ${changes.map(({ change }) => String(change * sign))}::text[]::numeric[]
    )
    ON CONFLICT (item_id, address) DO UPDATE SET quantity = o.quantity + excluded.quantity`)
  await tx.sql(
    Prisma.sql`DELETE FROM item_owners WHERE quantity = 0 AND item_id = ANY(${[...new Set(itemIds)]}::uuid[])`,
  )
}
