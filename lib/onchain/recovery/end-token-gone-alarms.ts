import { Prisma } from '../../../generated/prisma/client.ts'
import { resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import { within, type SystemContext } from '../../platform/auth/context.ts'

type Ended = { itemId: string; organizationId: string }

/** Ends the alarms about tokens that were promised and gone, once no promise is left that this broke. */
export async function endTokenGoneAlarms(worker: SystemContext): Promise<void> {
  const ended = await worker.sql<Ended>(Prisma.sql`
    SELECT i.id::text AS "itemId", i.organization_id::text AS "organizationId"
    FROM alarms a JOIN items i ON i.id::text = a.subject AND i.organization_id = a.organization_id
    WHERE a.kind = 'token_gone' AND a.resolved_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM holds h WHERE h.item_id = i.id AND h.state = 'EXCEPTION')`)
  for (const { itemId, organizationId } of ended)
    await within(worker, organizationId, (own) => resolveAlarm(own, 'token_gone', itemId))
}
