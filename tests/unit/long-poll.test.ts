import { afterEach, expect, test, vi } from 'vitest'
import { newId } from '../../lib/core/id.ts'
import { longPoll } from '../../lib/platform/http/long-poll.ts'

afterEach(() => vi.useRealTimers())

test('however many wait, all of them are asked about together once a second, until their time is over', async () => {
  vi.useFakeTimers()
  const asked: number[] = []
  const { wait } = longPoll<{ place: number }, string>(newId(), async (waiters) => {
    asked.push(waiters.length)
    await Promise.resolve()
  })
  const waiting = Promise.all([1, 2, 3].map((place) => wait({ place }, 3, undefined)))
  await vi.advanceTimersByTimeAsync(2_500)
  expect(asked).toEqual([3, 3])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await waiting).toEqual([null, null, null])
  await vi.advanceTimersByTimeAsync(5_000)
  expect(asked.filter((count) => count > 0)).toHaveLength(2)
})

test('who comes once nobody waits any more is asked about again', async () => {
  vi.useFakeTimers()
  const { wait } = longPoll<object, string>(newId(), async (waiters) => {
    for (const waiter of waiters) waiter.end('found')
    await Promise.resolve()
  })
  for (let times = 0; times < 2; times++) {
    const found = wait({}, 30, undefined)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await found).toBe('found')
    await vi.advanceTimersByTimeAsync(1_000)
  }
})
