import { afterEach, describe, expect, test } from 'vitest'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { beginIdempotent, type Idempotency } from '../../lib/platform/http/idempotency.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'

const SCOPE = 'test'
const DAY_MS = 24 * 3600_000

afterEach(resetClock)

const begin = (key: string, content = 'body') =>
  beginIdempotent(SCOPE, key, content).catch((error: { code?: string }) => error.code)
const isTaken = (begun: Idempotency | string | undefined) => typeof begun === 'object' && begun.replay === null

async function storeAnswer(begun: Idempotency | string | undefined): Promise<void> {
  if (typeof begun !== 'object' || begun.replay) throw new Error('The key was not taken.')
  await begun.store({ status: 201, text: 'first' })
}

describe('keys of requests that come at once', () => {
  test('are taken in two round trips: the first alone, the others together', async () => {
    const keys = Array.from({ length: 60 }, newId)
    const { result, roundTrips } = await countRoundTrips(() => Promise.all(keys.map((key) => begin(key))))
    expect(result.every(isTaken)).toBe(true)
    expect(roundTrips.filter((each) => each.includes('idempotency_records'))).toHaveLength(2)
    expect(await systemClient().idempotencyRecord.count({ where: { key: { in: keys } } })).toBe(60)
  })

  test('are each taken by one request, whichever batch the others came in', async () => {
    const keys = Array.from({ length: 20 }, newId)
    const begun = await Promise.all([...keys, ...keys.toReversed(), ...keys].map((key) => begin(key)))
    expect(begun.filter(isTaken)).toHaveLength(20)
    expect(begun.filter((each) => each === 'idempotency_in_flight')).toHaveLength(40)
  })

  test('give the answers that are stored, and refuse other contents', async () => {
    const keys = Array.from({ length: 10 }, newId)
    for (const begun of await Promise.all(keys.map((key) => begin(key)))) await storeAnswer(begun)
    const answers = await Promise.all(keys.map((key, at) => begin(key, at === 3 ? 'other' : 'body')))
    const replay = { replay: { status: 201, text: 'first' } }
    expect(answers).toEqual(keys.map((_, at) => (at === 3 ? 'idempotency_mismatch' : replay)))
  })

  test('of a request that died are taken over by one repeat after 30 seconds, and never by other contents', async () => {
    const [died, other] = [newId(), newId()]
    await Promise.all([died, other].map((key) => begin(key)))
    moveClock(31_000)
    const begun = await Promise.all([begin(died), begin(died), begin(other, 'other'), begin(newId())])
    expect(begun.slice(0, 2).filter(isTaken)).toHaveLength(1)
    expect(begun[2]).toBe('idempotency_mismatch')
    expect(isTaken(begun[3])).toBe(true)
  })

  test('are free again a day after their first use', async () => {
    const key = newId()
    await storeAnswer(await begin(key))
    moveClock(DAY_MS + 1)
    const begun = await Promise.all([begin(key, 'other'), begin(key, 'other')])
    expect(begun.filter(isTaken)).toHaveLength(1)
  })
})
