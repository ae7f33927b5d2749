import { newId } from '../../core/id.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { triggerEvent as endpoint } from '../../platform/api/event-log.ts'
import { EVENTS } from '../../platform/api/events.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { TRIGGERED } from './read-events.ts'

/** Records the documented example of an event for those who listen. No webhook gets it, also not by a replay. */
export const triggerEvent = (
  ctx: Context,
  { type }: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> =>
  inTransaction(ctx, async (tx) => {
    const { organizationId } = tx
    const [id, now] = [newId(), tx.now()]
    const { data } = EVENTS[type]
    await tx.db.event.create({ data: { id, organizationId, type, key: `${TRIGGERED}${id}`, data, createdAt: now } })
    await recordAudit(tx, { action: 'event.triggered', subject: { type: 'event', id }, after: { type } })
    return { type, id, organization_id: organizationId, timestamp: now, data, test: true as const }
  })
