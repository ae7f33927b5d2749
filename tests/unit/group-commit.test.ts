import { setImmediate as turn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { newId } from '../../lib/core/id.ts'
import { carryOutTogether } from '../../lib/core/group-commit.ts'

/** A queue whose first batch, of one order, ends when it is told to. */
function makeQueue({ most = 100, waiting = 100, work = (orders: readonly number[]) => Promise.resolve(orders) } = {}) {
  const batches: (readonly number[])[] = []
  let begin = (): void => undefined
  const started = new Promise<void>((resolve) => (begin = resolve))
  const together = {
    key: newId(),
    most,
    waiting,
    isShared: (error: unknown) => (error as Error).message === 'shared',
    work: async (orders: readonly number[]) => {
      batches.push(orders)
      if (batches.length === 1) await started
      return work(orders)
    },
  }
  const add = (order: number) => carryOutTogether(together, order)
  /** Adds the first order, whose batch begins before the others are added. */
  const addAfterFirst = async ([first, ...others]: readonly number[]) => {
    const all = [add(first!)]
    await turn()
    return [...all, ...others.map(add)]
  }
  return { together, batches, begin: () => begin(), add, addAfterFirst }
}
const outcomesOf = async (all: Promise<number>[]) =>
  (await Promise.allSettled(all)).map((one) =>
    one.status === 'fulfilled'
      ? one.value
      : ((one.reason as { code?: string; message: string }).code ?? one.reason.message),
  )

test('a batch takes what came while the one before it ran, in order and bounded', async () => {
  const { batches, begin, addAfterFirst } = makeQueue({ most: 3 })
  const all = await addAfterFirst([0, 1, 2, 3, 4])
  begin()
  expect(await outcomesOf(all)).toEqual([0, 1, 2, 3, 4])
  expect(batches).toEqual([[0], [1, 2, 3], [4]])
})

test('orders of one turn of the event loop are one batch', async () => {
  const { batches, begin, add } = makeQueue()
  const all = [0, 1, 2].map(add)
  begin()
  expect(await outcomesOf(all)).toEqual([0, 1, 2])
  expect(batches).toEqual([[0, 1, 2]])
})

test('an order that fails fails alone, after halves', async () => {
  const work = (orders: readonly number[]) =>
    orders.includes(3) ? Promise.reject(new Error('bad')) : Promise.resolve(orders)
  const { begin, addAfterFirst } = makeQueue({ work })
  const all = await addAfterFirst([0, 1, 2, 3, 4, 5, 6])
  begin()
  expect(await outcomesOf(all)).toEqual([0, 1, 2, 'bad', 4, 5, 6])
})

test('what is about no order fails the whole batch at once, and the next one runs', async () => {
  let tries = 0
  const work = (orders: readonly number[]) =>
    ++tries === 2 ? Promise.reject(new Error('shared')) : Promise.resolve(orders)
  const { batches, begin, addAfterFirst } = makeQueue({ work, most: 2 })
  const all = await addAfterFirst([0, 1, 2, 3])
  begin()
  expect(await outcomesOf(all)).toEqual([0, 'shared', 'shared', 3])
  expect(batches).toEqual([[0], [1, 2], [3]])
})

test('when too many wait, further orders are refused', async () => {
  const { begin, addAfterFirst } = makeQueue({ waiting: 2 })
  const all = await addAfterFirst([0, 1, 2, 3])
  begin()
  expect(await outcomesOf(all)).toEqual([0, 1, 2, 'unavailable'])
})

test('each evaluation of the module carries out its own orders, since its errors are told apart by their class', async () => {
  const { together, begin, add } = makeQueue()
  const first = add(0)
  vi.resetModules()
  const again = await import('../../lib/core/group-commit.ts')
  const second = again.carryOutTogether({ ...together, work: async (orders) => orders.map(() => 'second') }, 1)
  begin()
  expect(await Promise.all([first, second])).toEqual([0, 'second'])
})
