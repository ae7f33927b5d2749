import { Prisma } from '../../../generated/prisma/client.ts'
import { resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import { within, type SystemContext } from '../../platform/auth/context.ts'

type Ended = { itemId: string; organizationId: string }

/**
 * Ends the alarms about mints that seemed to be others' and were ours, which the books had lost, once no promise is
 * left that they broke. A listing that was paused for such a mint stays paused: it can't sell the unit again.
 */
export async function endForeignMintAlarms(worker: SystemContext): Promise<void> {
  const ended = await worker.sql<Ended>(Prisma.sql`
    SELECT i.id::text AS "itemId", i.organization_id::text AS "organizationId"
    FROM alarms a JOIN items i ON i.id::text = a.subject AND i.organization_id = a.organization_id
    WHERE a.kind = 'foreign_mint' AND a.resolved_at IS NULL
      AND i.minted - kept_units(i) <= coalesce(i.max_supply, i.minted)
      AND NOT EXISTS (SELECT 1 FROM holds h WHERE h.item_id = i.id AND h.state = 'EXCEPTION')
      AND EXISTS (SELECT 1 FROM unmatched_mints u WHERE u.item_id = i.id)
      AND NOT EXISTS (SELECT 1 FROM unmatched_mints u WHERE u.item_id = i.id AND u.state IN ('UNCHECKED', 'FOREIGN'))`)
  for (const { itemId, organizationId } of ended)
    await within(worker, organizationId, (own) => resolveAlarm(own, 'foreign_mint', itemId))
}
