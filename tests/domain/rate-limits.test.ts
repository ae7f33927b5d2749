import { afterEach, expect, test } from 'vitest'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { takePermit, type Windows } from '../../lib/platform/http/permits.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'

afterEach(resetClock)

const newProcess = (): Windows => new Map()
const ask = (windows: Windows, key: string, most: number, times: number) =>
  Promise.all(Array.from({ length: times }, () => takePermit(windows, key, most, 60)))
const granted = (permits: { isGranted: boolean }[]) => permits.filter(({ isGranted }) => isGranted).length

test('a client’s requests are counted in blocks: 1,000 of 1,000 cost 50 statements when they come one by one', async () => {
  const [windows, key] = [newProcess(), newId()]
  const { result, roundTrips } = await countRoundTrips(async () => {
    const remaining: number[] = []
    for (let at = 0; at < 1000; at++) remaining.push((await takePermit(windows, key, 1000, 60)).remaining)
    return remaining
  })
  expect(roundTrips.length).toBe(50)
  expect(result).toEqual(Array.from({ length: 1000 }, (_, at) => 999 - at))
  const refused = await countRoundTrips(() => ask(windows, key, 1000, 100))
  expect([granted(refused.result), refused.roundTrips]).toEqual([0, []])
})

test('several processes together never grant more than the limit, and what they hold is all that they grant less', async () => {
  const key = newId()
  const processes = Array.from({ length: 4 }, newProcess)
  const permits = await Promise.all(Array.from({ length: 100 }, (_, at) => ask(processes[at % 4]!, key, 500, 20)))
  expect(granted(permits.flat())).toBe(500)

  const other = newId()
  for (const windows of processes) await ask(windows, other, 500, 1)
  const mine = granted(await ask(processes[0]!, other, 500, 600))
  expect(mine).toBeLessThanOrEqual(500 - 3)
  expect(mine).toBeGreaterThanOrEqual(500 - 3 * 10 - 1)
})

test('a small limit is exact in several processes', async () => {
  const key = newId()
  const processes = Array.from({ length: 3 }, newProcess)
  const permits = []
  for (let at = 0; at < 60; at++) permits.push(await takePermit(processes[at % 3]!, key, 50, 60))
  expect(permits.map(({ isGranted }) => isGranted)).toEqual(Array.from({ length: 60 }, (_, at) => at < 50))
})

test('who comes while others are counted takes no more than is asked for, so that other processes have the rest', async () => {
  const [windows, key] = [newProcess(), newId()]
  const first = ask(windows, key, 10, 3)
  await new Promise((resolve) => setImmediate(resolve)) // these are being counted now
  const second = ask(windows, key, 10, 2)
  expect(granted([...(await first), ...(await second)])).toBe(5)
  expect(granted(await ask(newProcess(), key, 10, 10))).toBe(5)
})

test('a window without an end, as other versions could make one, ends with the next request', async () => {
  const key = newId()
  await systemClient().rateLimit.create({ data: { key, points: 100, expire: null } })
  expect(await takePermit(newProcess(), key, 100, 60)).toMatchObject({ isGranted: true, remaining: 99 })
})

test('a window ends after its seconds, and permits of it that were left end with it', async () => {
  const [windows, key] = [newProcess(), newId()]
  expect(granted(await ask(windows, key, 100, 120))).toBe(100)
  moveClock(59_000)
  expect(granted(await ask(windows, key, 100, 5))).toBe(0)
  moveClock(2_000)
  expect(granted(await ask(windows, key, 100, 99))).toBe(99)
  moveClock(61_000)
  expect(granted(await ask(windows, key, 100, 120))).toBe(100)
})

test('what another process took shows as soon as a block is used up', async () => {
  const [windows, key] = [newProcess(), newId()]
  expect(granted(await ask(windows, key, 100, 1))).toBe(1)
  await systemClient().rateLimit.update({ where: { key }, data: { points: 100 } })
  expect(granted(await ask(windows, key, 100, 10))).toBe(1)
})

test('a process remembers a bounded number of clients, whatever number of addresses they have', async () => {
  const windows = newProcess()
  const later = Date.now() + 60_000
  for (let at = 0; at < 50_000; at++)
    windows.set(`filled ${at}`, { held: 1, taken: 1, endsAt: later, asking: 0, answer: null })
  for (let at = 0; at < 20; at++) await takePermit(windows, newId(), 100, 60)
  expect(windows.size).toBe(50_000)
})

test('a request whose count fails is not granted, and the next one is counted again', async () => {
  const [windows, key] = [newProcess(), 'x\u0000y']
  await expect(ask(windows, key, 100, 3)).rejects.toThrow()
  await expect(ask(windows, key, 100, 1)).rejects.toThrow()
})
