import type { EventData } from '../../platform/api/event-data.ts'
import type { EventType } from '../../platform/api/events.ts'
import { plain } from '../../records/audit/record-audit.ts'
import type { AnyContext, Context } from '../../platform/auth/context.ts'
import { newId } from '../../core/id.ts'
import { runIn } from '../../db/organization-transaction.ts'
import { type Call, call, type Statement } from '../../db/statements.ts'

/** An event of one type, with the data that its schema has. */
export type EventRecord = {
  [T in EventType]: { organizationId: string; type: T; key: string; data: EventData<T> }
}[EventType]

/** With the request that it is due to. */
export type CausedEvent = EventRecord & { requestId: string }

/**
 * Writes an event in the transaction of its cause. `key` identifies the cause: the same cause, repeated after a reorg
 * or a crash, writes nothing more. Returns whether the event is new.
 */
export async function recordEvent<T extends EventType>(
  tx: Context,
  type: T,
  key: string,
  data: EventData<T>,
): Promise<boolean> {
  const event = { organizationId: tx.organizationId, type, key, data } as EventRecord // T is one of its types
  return (await recordEvents(tx, [event])).length > 0
}

/** Like `recordEvent`, for many events of any organizations in one statement. Returns the keys of the new ones. */
export async function recordEvents(tx: AnyContext, events: readonly EventRecord[]): Promise<string[]> {
  if (events.length === 0) return []
  const { requestId } = tx
  const caused = events.map((event) => ({ ...event, requestId }))
  const [happened] = await runIn(tx)(eventsCall(caused, tx.now()))
  return happened!.map(({ key }) => key as string)
}

/**
 * Inserts the new events and a delivery for every subscribed webhook. The key share lock skips a webhook that is
 * deleted meanwhile instead of failing the cause. A delivery's id begins like its event's, so that both sort by time.
 */
const INSERT: Statement = {
  name: 'insert_events',
  text: `WITH happened AS (
      INSERT INTO events (id, organization_id, type, key, data, created_at)
      SELECT e.id, e.organization_id, e.type, e.key, e.data, $6::timestamptz
      FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[]::jsonb[])
        AS e(id, organization_id, type, key, data)
      ON CONFLICT (organization_id, type, key) DO NOTHING
      RETURNING id, organization_id, type, key, data
    ), queued AS (
      INSERT INTO webhook_deliveries (id, organization_id, webhook_id, event_id, event_type, message_id, payload,
        request_id, next_at, created_at)
      SELECT (left(e.id::text, 18) || substr(gen_random_uuid()::text, 19))::uuid, e.organization_id, w.id, e.id,
        e.type, e.id, jsonb_build_object('type', e.type, 'id', e.id, 'organization_id', e.organization_id,
          'timestamp', $7::text, 'data', e.data),
        ($8::text[])[array_position($1::uuid[], e.id)], $6::timestamptz, $6::timestamptz
      FROM happened e JOIN webhooks w ON w.organization_id = e.organization_id
      WHERE w.status = 'ENABLED' AND (w.event_types = '{}' OR e.type = ANY(w.event_types))
      FOR KEY SHARE OF w
    )
    SELECT key FROM happened`,
}

/** The statement that records many events. */
export function eventsCall(events: readonly CausedEvent[], now: Date): Call {
  return call(
    INSERT,
    events.map(() => newId()),
    events.map(({ organizationId }) => organizationId),
    events.map(({ type }) => type),
    events.map(({ key }) => key),
    events.map(({ data }) => JSON.stringify(plain(data))),
    now.toISOString(),
    now.toISOString(),
    events.map(({ requestId }) => requestId),
  )
}
