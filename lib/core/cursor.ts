import { AppError } from './errors.ts'
import { directionOf, type PageQuery } from './page.ts'
import { hmac, isHmacOf } from './secrets.ts'

/** What a cursor belongs to besides the filters: a list's name, whose rows it has (null: what everybody may see), and the row it is a part of. */
export type List = readonly [name: string, organizationId: string | null, of?: string]

/** A cursor is this byte, the HMAC and the place. */
const VERSION = 2
const MAC_BYTES = 32

const isGiven = (value: unknown): boolean => value != null && !(Array.isArray(value) && value.length === 0)
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) => (typeof part === 'bigint' ? String(part) : part))

/** Filters in the order of their schema. The order of the values of one says nothing. */
function filtersOf({ limit: _limit, cursor: _cursor, order_direction: _direction, ...filters }: PageQuery): string {
  const given = Object.entries(filters).filter(([, value]) => isGiven(value))
  return textOf(given.map(([name, value]) => [name, Array.isArray(value) ? value.map(textOf).sort() : value]))
}

const partsOf = ([name, organizationId, of = '']: List, query: PageQuery, place: string) => [
  name,
  organizationId ?? '',
  of,
  filtersOf(query),
  place,
]

/** A cursor that stands between the last row of a page and the next one, by the keys that order the list. */
export function makeCursor(list: List, query: PageQuery, last: string, next: string): string {
  const place = [directionOf(query), last, next].join('\n')
  const mac = hmac('cursor', ...partsOf(list, query, place))
  return Buffer.concat([Buffer.of(VERSION), mac, Buffer.from(place)]).toString('base64url')
}

/**
 * The key after which the page of a query begins; undefined without a cursor. Walking back begins with the last row of the cursor's page.
 * Throws `invalid_cursor` for what this list didn't issue for these filters, or issued by a server key that isn't listed any more.
 */
export function readCursor(list: List, query: PageQuery): string | undefined {
  if (!query.cursor) return undefined
  const bytes = Buffer.from(query.cursor, 'base64url')
  const [mac, place] = [bytes.subarray(1, MAC_BYTES + 1), bytes.subarray(MAC_BYTES + 1).toString()]
  const isWhole = bytes[0] === VERSION && bytes.toString('base64url') === query.cursor
  if (!isWhole || !isHmacOf(mac, 'cursor', ...partsOf(list, query, place)))
    throw new AppError(
      'invalid_cursor',
      'This cursor was not issued by this list with these filters. Leave it out to start from the beginning.',
    )
  const [direction, last, next] = place.split('\n')
  return direction === directionOf(query) ? last : next
}
