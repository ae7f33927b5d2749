import { afterEach, beforeEach, expect, test } from 'vitest'
import { type List, makeCursor, readCursor } from '../../lib/core/cursor.ts'
import { newId } from '../../lib/core/id.ts'
import type { Page, PageQuery } from '../../lib/core/page.ts'
import { paginate, rowsOfIds } from '../../lib/core/paginate.ts'
import { replaceServerKeys } from '../../lib/core/server-keys.ts'
import { email } from '../../lib/core/wire.ts'
import { allowanceOfKey, keyOfAllowance } from '../../lib/offers/listings/allowance-key.ts'

const [KEY, LATER_KEY] = ['a'.repeat(64), 'b'.repeat(64)]
beforeEach(() => replaceServerKeys(KEY))
afterEach(() => replaceServerKeys(null))

const ids = Array.from({ length: 7 }, () => newId())

const ORGANIZATION = newId()
const ITEMS: List = ['items', ORGANIZATION]

const pageOf = (rows: string[], query: PageQuery, list = ITEMS): Promise<Page<string>> =>
  paginate(query, {
    list,
    key: (row: string) => row,
    find: async ({ after, direction, take }) =>
      [...rows]
        .sort((a, b) => (direction === 'asc' ? (a < b ? -1 : 1) : a < b ? 1 : -1))
        .filter((row) => !after || (direction === 'asc' ? row > after : row < after))
        .slice(0, take),
    count: async () => rows.length,
    show: (row) => row,
  })

const walk = async (direction: 'ASC' | 'DESC', insert: () => void, rows: string[]) => {
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const page: Page<string> = await pageOf(rows, { limit: 2, cursor, order_direction: direction })
    seen.push(...page.results)
    cursor = page.cursor
    insert()
  } while (cursor)
  return seen
}

test('paging newest first while rows are inserted shows every earlier row exactly once', async () => {
  const rows = [...ids]
  expect(await walk('DESC', () => void rows.push(newId()), rows)).toEqual([...ids].reverse())
})

test('paging oldest first shows every earlier row exactly once, then the newer ones', async () => {
  const rows = [...ids]
  let more = 2
  const seen = await walk('ASC', () => void (more-- > 0 && rows.push(newId())), rows)
  expect(seen.slice(0, 7)).toEqual(ids)
  expect(seen).toEqual(rows)
})

test('walking back begins with the last row of the page that gave the cursor', async () => {
  const newest = ids.toReversed()
  const { results, cursor } = await pageOf(ids, { limit: 3 })
  expect(results).toEqual(newest.slice(0, 3))
  expect((await pageOf(ids, { limit: 9, cursor })).results).toEqual(newest.slice(3))
  const back = await pageOf(ids, { limit: 2, cursor, order_direction: 'ASC' })
  expect(back.results).toEqual([newest[2], newest[1]])
  expect((await pageOf(ids, { limit: 9, cursor: back.cursor, order_direction: 'ASC' })).results).toEqual([newest[0]])
  expect((await pageOf(ids, { limit: 9, cursor: back.cursor })).results).toEqual(newest.slice(1))
})

type Filtered = PageQuery & { state?: string | null; network_ids?: bigint[]; from?: Date }
const read = (list: List, query: Filtered) => readCursor(list, query)?.key

test('a cursor is good for its list, organization and filters, and for no other', () => {
  const query: Filtered = { limit: 2, state: 'OPEN', network_ids: [1n, 10n], from: new Date(5) }
  const list: List = ['holds', ORGANIZATION, ids[0]]
  const cursor = makeCursor(list, query, ids[3]!, ids[2]!)
  expect(read(list, { ...query, cursor })).toBe(ids[3])
  expect(read(list, { ...query, cursor, order_direction: 'ASC' })).toBe(ids[2])
  expect(read(list, { ...query, cursor, limit: 9, network_ids: [10n, 1n] })).toBe(ids[3])
  const others: [List, Filtered][] = [
    [['claims', ORGANIZATION, ids[0]], query],
    [['holds', newId(), ids[0]], query],
    [['holds', null, ids[0]], query],
    [['holds', ORGANIZATION, ids[1]], query],
    [['holds', ORGANIZATION], query],
    [list, { ...query, state: 'CLOSED' }],
    [list, { ...query, state: null }],
    [list, { ...query, network_ids: [1n] }],
    [list, { ...query, network_ids: [110n] }],
    [list, { ...query, from: new Date(6) }],
  ]
  for (const [other, asked] of others) expect(() => read(other, { ...asked, cursor })).toThrow('This cursor was not')
  const unfiltered = makeCursor(list, { limit: 1 }, ids[3]!, ids[2]!)
  expect(read(list, { limit: 1, state: null, network_ids: [], cursor: unfiltered })).toBe(ids[3])
})

test('a cursor of a list with long keys holds one of them, whatever its bytes are, and says on which side it stands', () => {
  const key = Array.from({ length: 174 }, (_each, at) => String.fromCharCode(at)).join('')
  for (const order_direction of ['ASC', 'DESC'] as const) {
    const cursor = makeCursor(ITEMS, { limit: 1, order_direction }, key, null)
    expect(cursor).toHaveLength(255)
    const placeFor = (asked: 'ASC' | 'DESC') => readCursor(ITEMS, { limit: 1, cursor, order_direction: asked })
    expect(placeFor(order_direction)).toEqual({ key, isIncluded: false })
    expect(placeFor(order_direction === 'ASC' ? 'DESC' : 'ASC')).toEqual({ key, isIncluded: true })
  }
  expect(() => makeCursor(ITEMS, { limit: 1 }, `${key}x`, null)).toThrow('too long')
})

test('the key of an entry of an allow list is read back, and that of the longest email fits into a cursor', () => {
  const ends = ["_'+-.9z", 'aaaaaaa', 'zzzzzzz', "'"]
  const longest = (letter: string) => `${letter.repeat(64)}@${`${'z'.repeat(63)}.`.repeat(2)}${'z'.repeat(61)}`
  const identities = [
    ...ends.flatMap((end) => [`${end}@example.com`, `${"'".repeat(235)}${end}@example.com`]),
    ...["'", '~', '=', '|'].map(longest),
    'a~@b.example',
  ]
  for (const identity of identities) {
    const key = keyOfAllowance({ kind: 'EMAIL', identity })
    expect(allowanceOfKey(key)).toEqual({ kind: 'EMAIL', identity })
    expect(makeCursor(ITEMS, { limit: 1 }, key, null).length).toBeLessThanOrEqual(255)
  }
  const address = { kind: 'ADDRESS' as const, identity: `0x${'aB'.repeat(20)}` }
  expect(allowanceOfKey(keyOfAllowance(address))).toEqual(address)
  // What no email has is not packed silently as something else.
  const ascii = Array.from({ length: 94 }, (_each, at) => String.fromCharCode(33 + at))
  for (const character of ascii.filter((each) => email.safeParse(`a${each}b@example.com`).success)) {
    const identity = email.parse(`a${character}b@example.com`)
    expect(allowanceOfKey(keyOfAllowance({ kind: 'EMAIL', identity })).identity).toBe(identity)
  }
})

test('a damaged or forged cursor is refused', () => {
  const good = makeCursor(ITEMS, { limit: 1 }, ids[1]!, ids[0]!)
  const bytes = Buffer.from(good, 'base64url')
  const flipped = [...bytes.keys()].map((at) => bytes.map((byte, index) => (index === at ? byte ^ 1 : byte)))
  for (const cursor of [
    'x',
    `${good}.`,
    ` ${good}`,
    good.slice(0, -1),
    `${good}AAAA`,
    Buffer.from(`1:${ids[0]}`).toString('base64url'),
    ...flipped.map((each) => Buffer.from(each).toString('base64url')),
  ])
    expect(() => readCursor(ITEMS, { limit: 1, cursor })).toThrow('This cursor was not issued by this list')
})

test('a cursor of an earlier server key is good while that key is listed', () => {
  const cursor = makeCursor(ITEMS, { limit: 1 }, ids[1]!, ids[0]!)
  replaceServerKeys(`${LATER_KEY},${KEY}`)
  expect(read(ITEMS, { limit: 1, cursor })).toBe(ids[1])
  replaceServerKeys(LATER_KEY)
  expect(() => readCursor(ITEMS, { limit: 1, cursor })).toThrow('This cursor was not issued by this list')
})

test('a list with a damaged cursor is not counted, and one whose page needs the total is counted once', async () => {
  let counted = 0
  const list = {
    list: ITEMS,
    key: (row: string) => row,
    find: async (_range: object, total: () => Promise<unknown>) => ((await total()) === 0 ? [] : ids.slice(0, 1)),
    count: async () => ++counted,
    show: (row: string) => row,
  }
  await expect(paginate({ limit: 1, cursor: 'x' }, list)).rejects.toThrow('This cursor was not issued')
  expect(counted).toBe(0)
  expect(await paginate({ limit: 1 }, list)).toMatchObject({ results: [ids[0]], total_results: 1 })
  expect(counted).toBe(1)
})

test('a page is read again where a row of it was deleted between its ids and itself, but not for ever', async () => {
  const rows = [...ids]
  let reads = 0
  const read = (gone: () => void) =>
    rowsOfIds(
      async () => rows.slice(0, 3),
      async (wanted) => {
        reads++
        gone()
        return wanted.filter((id) => rows.includes(id))
      },
    )
  expect(await read(() => void (reads === 1 && rows.shift()))).toEqual(ids.slice(1, 4))
  expect(reads).toBe(2)
  expect(await read(() => void rows.shift())).toHaveLength(2)
})
