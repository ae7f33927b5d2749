import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../lib/core/id.ts'
import { askPublished, questions } from '../../lib/platform/http/hot/questions.ts'
import { installFakeChain } from '../support/claims.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'
import { askDirectly, bodyOf } from '../support/direct.ts'
import { makePool } from '../support/listings.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

let mine: TestOrganization

beforeAll(async () => {
  installFakeChain()
  mine = await makeOrganization()
})

test('many questions at once are one statement, and each gets its own answer', async () => {
  const { itemIds: ids } = await makePool(mine, 30)
  const unknown = newId()
  const { result, roundTrips } = await countRoundTrips(() =>
    Promise.all([...ids, ...ids, unknown].map((id) => askDirectly(`/public/v1/items/${id}`))),
  )
  expect(result.slice(0, 60).map((answer) => bodyOf(answer).id)).toEqual([...ids, ...ids])
  expect(result[60]!.status).toBe(404)
  expect(roundTrips).toHaveLength(1)
})

test('many long pages at once are several statements, so that not all of their rows are in memory at a time', async () => {
  const pool = await makePool(mine, 2)
  const limits = Array.from({ length: 10 }, (_, at) => 1000 - at)
  const { result, roundTrips } = await countRoundTrips(() =>
    Promise.all(
      limits.map((limit) => askDirectly(`/public/v1/items?collection_ids=${pool.collectionId}&limit=${limit}`)),
    ),
  )
  expect(result.map((answer) => bodyOf(answer).results.length)).toEqual(limits.map(() => 2))
  expect(roundTrips.length).toBeGreaterThanOrEqual(5)
})

test('statements that get no answer hold up nobody who asks later', async () => {
  const sleep = {
    name: 'test_sleep',
    text: `SELECT asked.at::int AS at, '' AS version, pg_sleep(asked.seconds)::text
      FROM unnest($1::float[]) WITH ORDINALITY AS asked(seconds, at)`,
  }
  const answer = questions(askPublished(sleep), () => 2_000, 0.2)
  const unanswered = await Promise.allSettled([3, 3.1].map((seconds) => answer([seconds])))
  expect(unanswered.map((each) => (each as PromiseRejectedResult).reason)).toMatchObject([
    { code: 'unavailable' },
    { code: 'unavailable' },
  ])
  expect(await answer([0])).toMatchObject([{ at: 1 }])
})
