import { AppError } from './errors.ts'
import { directionOf, type PageQuery } from './page.ts'
import { hmac, hmacsOf, sameBytes } from './secrets.ts'
import { MAX_SAFE_STRING } from './wire.ts'

/**
 * The list that a cursor belongs to: its name, the organization whose rows it has (null: rows that everybody may see),
 * and the row that the list is a part of. A cursor also belongs to the list's filters.
 */
export type List = readonly [name: string, organizationId: string | null, of?: string]

/**
 * Where a page begins: beyond the row of this key or, walking back from a cursor that holds one key, with it
 * (`isIncluded`).
 */
type Place = { key: string; isIncluded: boolean }

/**
 * A cursor is a byte that says its form, the beginning of an HMAC and the keys: for a safe string at most 191 bytes.
 */
const FORM = { first: 4, ascending: 1, oneKey: 2 }
const MAC_BYTES = 16
const MOST_BYTES = Math.floor((MAX_SAFE_STRING * 6) / 8)
const KEYS_BEGIN = 1 + MAC_BYTES

const isGiven = (value: unknown): boolean => value != null && !(Array.isArray(value) && value.length === 0)
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) => (typeof part === 'bigint' ? String(part) : part))

/** Filters in the order of their schema. The order of the values of one says nothing. */
function filtersOf({ limit: _limit, cursor: _cursor, order_direction: _direction, ...filters }: PageQuery): string {
  const given = Object.entries(filters).filter(([, value]) => isGiven(value))
  return textOf(given.map(([name, value]) => [name, Array.isArray(value) ? value.map(textOf).sort() : value]))
}

const partsOf = ([name, organizationId, of = '']: List, query: PageQuery, form: number, keys: string) => [
  name,
  organizationId ?? '',
  of,
  filtersOf(query),
  form,
  keys,
]

/**
 * A cursor that stands between the last row of a page and the next one, by the keys that order the list: both, or only
 * the last one's where two would be too long. Each character of a key is one byte.
 */
export function makeCursor(list: List, query: PageQuery, last: string, next: string | null): string {
  const form = FORM.first + (directionOf(query) === 'ASC' ? FORM.ascending : 0) + (next === null ? FORM.oneKey : 0)
  const keys = next === null ? last : `${last}\n${next}`
  const mac = hmac('cursor', ...partsOf(list, query, form, keys)).subarray(0, MAC_BYTES)
  const bytes = Buffer.concat([Buffer.of(form), mac, Buffer.from(keys, 'latin1')])
  if (bytes.length > MOST_BYTES) throw new Error(`A cursor of ${list[0]} is too long.`)
  return bytes.toString('base64url')
}

/**
 * Where the page of a query begins; undefined without a cursor. Walking back begins with the last row of the cursor's
 * page. Throws `invalid_cursor` for what this list didn't issue for these filters, or issued by a server key that isn't
 * listed any more.
 */
export function readCursor(list: List, query: PageQuery): Place | undefined {
  if (!query.cursor) return undefined
  const bytes = Buffer.from(query.cursor, 'base64url')
  const [form = 0, mac, keys] = [bytes[0], bytes.subarray(1, KEYS_BEGIN), bytes.toString('latin1', KEYS_BEGIN)]
  const isIssued =
    bytes.toString('base64url') === query.cursor &&
    hmacsOf('cursor', ...partsOf(list, query, form, keys)).some((made) =>
      sameBytes(made.mac.subarray(0, MAC_BYTES), mac),
    )
  if (!isIssued)
    throw new AppError(
      'invalid_cursor',
      'This cursor was not issued by this list with these filters. Leave it out to begin anew.',
    )
  const isBack = (form & FORM.ascending) > 0 !== (directionOf(query) === 'ASC')
  if (form & FORM.oneKey) return { key: keys, isIncluded: isBack }
  const [last, next] = keys.split('\n') as [string, string]
  return { key: isBack ? next : last, isIncluded: false }
}
