import { expect, test } from 'vitest'
import { paginate, readCursor } from '../../lib/core/page.ts'
import { newId } from '../../lib/core/id.ts'

const ids = Array.from({ length: 7 }, () => newId())

const walk = async (direction: 'ASC' | 'DESC', insert: () => void, rows: string[]) => {
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const page: { cursor: string | null; results: string[] } = await paginate(
      { limit: 2, cursor, order_direction: direction },
      {
        key: (row: string) => row,
        find: async ({ after, direction: order, take }) =>
          [...rows]
            .sort((a, b) => (order === 'asc' ? (a < b ? -1 : 1) : a < b ? 1 : -1))
            .filter((row) => !after || (order === 'asc' ? row > after : row < after))
            .slice(0, take),
        count: async () => rows.length,
        show: (row) => row,
      },
    )
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

test('a damaged or foreign cursor is refused', () => {
  for (const cursor of [
    'x',
    '',
    Buffer.from('1:nope').toString('base64url'),
    Buffer.from(`2:${ids[0]}`).toString('base64url'),
  ])
    expect(() => readCursor(cursor)).toThrow('This cursor was not issued by this list.')
})

test('a list with a damaged cursor is not counted, and one whose page needs the total is counted once', async () => {
  let counted = 0
  const list = {
    key: (row: string) => row,
    find: async (_range: object, total: () => Promise<unknown>) => ((await total()) === 0 ? [] : ids.slice(0, 1)),
    count: async () => ++counted,
    show: (row: string) => row,
  }
  await expect(paginate({ limit: 1, cursor: 'x' }, list)).rejects.toThrow('This cursor was not issued by this list.')
  expect(counted).toBe(0)
  expect(await paginate({ limit: 1 }, list)).toMatchObject({ results: [ids[0]], total_results: 1 })
  expect(counted).toBe(1)
})
