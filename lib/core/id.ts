import { v7 } from 'uuid'
import { serverTime } from './clock.ts'

const last = { msecs: 0, seq: 0 }

/**
 * A new id: UUIDv7, so that ids sort by creation and serve as page cursors. Its time is PostgreSQL's, as that of the
 * row. Those of one millisecond are counted from a random number on.
 */
export function newId(): string {
  const msecs = Math.floor(serverTime())
  if (msecs > last.msecs) Object.assign(last, { msecs, seq: crypto.getRandomValues(new Uint32Array(1))[0]! >>> 1 })
  else last.seq++
  return v7(last)
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Of anything: what a form's action was given may be no text. */
export const isUuid = (value: unknown): boolean => typeof value === 'string' && UUID.test(value)

/** Below and above every id that a row has. */
export const LOWEST_UUID = '00000000-0000-0000-0000-000000000000'
export const HIGHEST_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Below every UUIDv7 of a time, in milliseconds since 1970, and above all earlier ones. */
export function lowestIdOf(millis: number): string {
  const digits = Math.min(Math.max(Math.trunc(millis), 0), 0xffff_ffff_ffff)
    .toString(16)
    .padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`
}
