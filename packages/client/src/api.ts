// What the client takes of the API's own types. The build writes them out in this file's place
// (scripts/build-client.ts).
import type { EventType } from '../../../lib/platform/api/events.ts'

export type { ErrorCode, FieldError } from '../../../lib/core/errors.ts'
export type { EventType }
/** The documents say more of it. */
export type EventData = Record<EventType, Record<string, unknown>>
