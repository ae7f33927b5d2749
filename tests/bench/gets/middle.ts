import type * as Module from '../../../lib/core/cursor.ts'
import type { List } from '../../../lib/core/cursor.ts'
import type { PageQuery } from '../../../lib/core/page.ts'

type Cursors = typeof Module

let cursors: Cursors
let asked: { list: List; query: PageQuery }

/** The module of cursors, which remembers the list that was asked last. */
export const rememberList = (original: unknown): Cursors => {
  cursors = original as Cursors
  return {
    ...cursors,
    readCursor: (list, query) => {
      asked = { list, query }
      return cursors.readCursor(list, query)
    },
  }
}

/** The key of a cursor's last row: behind a byte and an HMAC of 16. */
const keyOf = (cursor: string): string => Buffer.from(cursor, 'base64url').toString('latin1', 17).split('\n')[0]!

/** A cursor of the list that was asked last, in the middle between two others; null where keys say nothing of it. */
export function middleCursor(one: string, other: string): string | null {
  const key = between(keyOf(one), keyOf(other))
  return key && cursors.makeCursor(asked.list, asked.query, key, null)
}

/** Halfway between two UUIDs, addresses or numbers. */
function between(one: string, other: string): string | null {
  if (/^\d+$/.test(one) && /^\d+$/.test(other)) return String((BigInt(one) + BigInt(other)) / 2n)
  const digits = [one, other].map((key) => key.replace(/^A?0x/, '').replaceAll('-', ''))
  if (!digits.every((hex) => /^[0-9a-f]+$/i.test(hex)) || one.length !== other.length) return null
  const half = ((BigInt(`0x${digits[0]}`) + BigInt(`0x${digits[1]}`)) / 2n)
    .toString(16)
    .padStart(digits[0]!.length, '0')
  const isUuid = one.includes('-')
  return isUuid
    ? half.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    : one.slice(0, one.length - half.length) + half
}
