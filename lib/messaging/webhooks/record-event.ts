import { Prisma } from '../../../generated/prisma/client.ts'
import type { EventType } from '../../platform/api/events.ts'
import { plain } from '../../records/audit/record-audit.ts'
import type { AnyContext, Context } from '../../platform/auth/context.ts'
import { newId } from '../../core/id.ts'

export type EventRecord = { organizationId: string; type: EventType; key: string; data: object }

/**
 * Writes an event in the transaction of its cause. `key` names the cause: the same cause, replayed after a reorg or a
 * crash, writes nothing more. Answers whether it was the first time.
 */
export async function recordEvent(tx: Context, type: EventType, key: string, data: object): Promise<boolean> {
  const happened = await insertEvents(tx, [{ organizationId: tx.organizationId, type, key, data }])
  return happened.length > 0
}

/** The same for many at once, of any organizations, in one statement. Answers the keys of those that are new. */
export const recordEvents = async (tx: AnyContext, events: readonly EventRecord[]): Promise<string[]> =>
  events.length > 0 ? insertEvents(tx, events) : []

/**
 * One statement: the events that are new, and a delivery of each to every webhook that wants it. The webhooks are held by a key
 * share, so that one which is deleted meanwhile is passed over and doesn't fail the cause. A delivery's id begins as its event's
 * does, so that both sort by when it happened.
 */
async function insertEvents(tx: AnyContext, events: readonly EventRecord[]): Promise<string[]> {
  const now = tx.now().toISOString()
  const happened = await tx.sql<{ key: string }>(Prisma.sql`
    WITH happened AS (
      INSERT INTO events (id, organization_id, type, key, data, created_at)
      SELECT e.id, e.organization_id, e.type, e.key, e.data, ${now}::timestamptz
      FROM unnest(
        ${events.map(() => newId())}::uuid[],
        ${events.map(({ organizationId }) => organizationId)}::uuid[],
        ${events.map(({ type }) => type)}::text[],
        ${events.map(({ key }) => key)}::text[],
        ${events.map(({ data }) => JSON.stringify(plain(data)))}::text[]::jsonb[]
      ) AS e(id, organization_id, type, key, data)
      ON CONFLICT (organization_id, type, key) DO NOTHING
      RETURNING id, organization_id, type, key, data
    ), told AS (
      INSERT INTO webhook_deliveries (id, organization_id, webhook_id, event_id, event_type, message_id, payload, next_at, created_at)
      SELECT (left(e.id::text, 18) || substr(gen_random_uuid()::text, 19))::uuid, e.organization_id, w.id, e.id, e.type, e.id,
        jsonb_build_object('type', e.type, 'id', e.id, 'organization_id', e.organization_id, 'timestamp', ${now}::text, 'data', e.data),
        ${now}::timestamptz, ${now}::timestamptz
      FROM happened e JOIN webhooks w ON w.organization_id = e.organization_id
      WHERE w.status = 'ENABLED' AND (w.event_types = '{}' OR e.type = ANY(w.event_types))
      FOR KEY SHARE OF w
    )
    SELECT key FROM happened`)
  return happened.map(({ key }) => key)
}
