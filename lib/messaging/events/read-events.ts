import { type List, makeCursor, readCursor } from '../../core/cursor.ts'
import { AppError } from '../../core/errors.ts'
import { LOWEST_UUID } from '../../core/id.ts'
import { call, type Call, type Statement } from '../../db/statements.ts'
import type { Output } from '../../platform/api/endpoint.ts'
import type { listenForEvents } from '../../platform/api/event-log.ts'
import type { EventType } from '../../platform/api/events.ts'

/** A place in the events of an organization: after the event with this position and id. */
export type Place = { position: bigint; id: string }
type Events = Output<typeof listenForEvents>

/** The keys of triggered examples begin so; no webhook gets them. */
export const TRIGGERED = 'trigger:'

type Row = {
  endOfAll: bigint
  id: string | null
  position: bigint
  type: EventType
  data: Record<string, unknown>
  createdAt: Date
  test: boolean
}

/**
 * The events after a place that no transaction still running can precede, and in each row the position at which that
 * ends. Events of which only the key is left are skipped.
 */
const READ: Statement = {
  name: 'read_events',
  text: `SELECT ended.before AS "endOfAll", e.*
    FROM (SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS before) ended
    LEFT JOIN LATERAL (
      SELECT id, position, type, data, created_at AS "createdAt", starts_with(key, '${TRIGGERED}') AS test FROM events
      WHERE organization_id = $1::uuid AND (position, id) > ($2::bigint, $3::uuid)
        AND position < ended.before AND data <> '{}'
      ORDER BY position, id LIMIT $4
    ) e ON true ORDER BY e.position, e.id`,
}

/** Reads from a place on; from now on where there is none. One row more than the limit shows whether there are more. */
export const readCall = (organizationId: string, after: Place | null, limit: number): Call =>
  call(READ, organizationId, after && after.position, after && after.id, limit + 1)

/**
 * The events in the rows of a reading. Throws `invalid_cursor` for a place that this database hasn't reached: it was
 * put back from a backup, say.
 */
export function eventsIn(rows: readonly object[], organizationId: string, after: Place | null, limit: number): Events {
  const read = rows as readonly Row[]
  const { endOfAll } = read[0]!
  if (after && after.position > endOfAll)
    throw new AppError('invalid_cursor', 'This cursor is of another database. Leave `after` out to begin now.')
  const found = read.filter(({ id }) => id !== null)
  const shown = found.slice(0, limit)
  const last = shown.at(-1) as Place | undefined
  return {
    results: shown.map(({ id, type, data, createdAt, test }) => ({
      type,
      id: id!,
      organization_id: organizationId,
      timestamp: createdAt,
      data,
      ...(test && { test: true as const }),
    })),
    has_more: found.length > limit,
    cursor: cursorOf(last ?? after ?? { position: endOfAll, id: LOWEST_UUID }, organizationId),
  }
}

const listOf = (organizationId: string): List => ['events', organizationId]

const cursorOf = ({ position, id }: Place, organizationId: string): string =>
  makeCursor(listOf(organizationId), { limit: 1 }, `${position} ${id}`, null)

/** The place that a cursor names. Throws `invalid_cursor` for what isn't one of this organization. */
export function placeOf(cursor: string, organizationId: string): Place {
  const [position, id] = readCursor(listOf(organizationId), { limit: 1, cursor })!.key.split(' ')
  return { position: BigInt(position!), id: id! }
}
