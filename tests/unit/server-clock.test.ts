import { beforeEach, expect, test, vi } from 'vitest'
import type * as Clock from '../../components/shared/server-clock.ts'

const HOUR = 3_600_000
let clock: typeof Clock

beforeEach(async () => {
  vi.resetModules()
  clock = await import('../../components/shared/server-clock.ts')
})

const answerOf = (time: number | string) => new Response(null, { headers: { 'server-time': String(time) } })
const now = (told: number) => clock.serverNow() - told

test('a page counts from what the server told, whatever the device’s clock says then or later', () => {
  const told = Date.parse('2031-05-01T12:00:00Z')
  clock.followAnswer(answerOf(told))
  vi.useFakeTimers({ toFake: ['Date'], now: told + 9 * HOUR })
  expect(now(told)).toBeGreaterThanOrEqual(0)
  expect(now(told)).toBeLessThan(HOUR)
  vi.useRealTimers()
})

test('of several answers the one that is latest counts: one that was kept, waited or says nothing moves no page back', () => {
  const told = Date.parse('2031-05-01T12:00:00Z')
  clock.followServerTime(told, performance.now() - 30_000) // a page that took half a minute to arrive
  expect(now(told)).toBeGreaterThanOrEqual(30_000)
  clock.followAnswer(answerOf(told - HOUR))
  clock.followAnswer(answerOf('soon'))
  clock.followAnswer(new Response(null))
  expect(now(told)).toBeGreaterThanOrEqual(30_000)
  expect(now(told)).toBeLessThan(HOUR)
  clock.followAnswer(answerOf(told + 2 * HOUR)) // after the computer slept
  expect(now(told)).toBeGreaterThanOrEqual(2 * HOUR)
})
