import { expect, onTestFinished, test } from 'vitest'
import { EVENTS, TEST_EVENT } from '../../lib/platform/api/events.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { makeCursor } from '../../lib/core/cursor.ts'
import { LOWEST_UUID, newId } from '../../lib/core/id.ts'
import { waitForEvents } from '../../lib/messaging/events/listeners.ts'
import { readCall } from '../../lib/messaging/events/read-events.ts'
import { recordEvent } from '../../lib/messaging/webhooks/record-event.ts'
import { endLongPollsAt } from '../../lib/platform/http/long-poll.ts'
import { guardedPoster } from '../../lib/ports/egress/guarded-poster.ts'
import { replacePorts } from '../../lib/ports/ports.ts'
import { asOwner } from '../support/as-owner.ts'
import { callerOf } from '../support/call.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'
import { ask, frontDoor } from '../support/front-door.ts'
import { makeKey, makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeWebhook, recordTestEvent } from '../support/webhooks.ts'

const listenerOf = ({ key }: TestOrganization) => {
  const { get } = callerOf(key)
  return async (query: Record<string, string | number>) => {
    const { status, body } = await get(`/v1/events?${new URLSearchParams(query as Record<string, string>)}`)
    return { status, ...body }
  }
}
const typesOf = ({ results }: { results: { type: string }[] }) => results.map(({ type }) => type)
/** Several listens, until so many events came: transactions of other tests delay what may be shown. */
async function collect(listen: ReturnType<typeof listenerOf>, cursor: string, most: number, limit = 100) {
  const found: { type: string; id: string; data: object }[] = []
  for (let tries = 0; tries < 10 && found.length < most; tries++) {
    const answer = await listen({ after: cursor, wait: 30, limit })
    expect(answer.status).toBe(200)
    expect(answer.results.length).toBeLessThanOrEqual(limit)
    found.push(...answer.results)
    cursor = answer.cursor
  }
  return { found, cursor }
}

test('a listener gets what happens after it began, in order and page by page, and nothing of others', async () => {
  const [mine, theirs] = [await makeOrganization(), await makeOrganization()]
  await recordTestEvent(mine, 'item.burned')
  const listen = listenerOf(mine)
  const begun = await listen({})
  // An event may be shown again where a transaction of another test was running.
  expect(typesOf(begun)).toEqual([])
  const data = { item_id: newId() }
  await recordTestEvent(mine, 'item.minted', data)
  await recordTestEvent(theirs, 'item.minted')
  await recordTestEvent(mine, 'item.transferred')
  await recordTestEvent(mine, 'claim.created')

  const { found, cursor } = await collect(listen, begun.cursor, 3, 2)
  expect(found.map(({ type }) => type).filter((type) => type !== 'item.burned')).toEqual([
    'item.minted',
    'item.transferred',
    'claim.created',
  ])
  const minted = found.find(({ type }) => type === 'item.minted')
  const row = await mine.ctx.db.event.findFirstOrThrow({ where: { type: 'item.minted' } })
  expect(minted).toEqual({
    type: 'item.minted',
    id: row.id,
    organization_id: mine.id,
    timestamp: row.createdAt.toISOString(),
    data,
  })
  expect(await listen({ after: cursor })).toMatchObject({ results: [], has_more: false, cursor })
})

test('an event is not missed when a later one is committed first', async () => {
  const mine = await makeOrganization()
  const listen = listenerOf(mine)
  const { cursor } = await listen({})
  await inTransaction(mine.ctx, async (tx) => {
    await recordEvent(tx, 'item.minted', newId(), EVENTS['item.minted'].data)
    await recordTestEvent(mine, 'item.burned')
    expect(typesOf(await listen({ after: cursor }))).toEqual([])
  })
  const { found } = await collect(listen, cursor, 2)
  expect(found.map(({ type }) => type)).toEqual(['item.minted', 'item.burned'])
})

test('what is new is found by its index, however many events there are', async () => {
  const mine = await makeOrganization()
  const rows = Array.from({ length: 5_000 }, newId).map((id) => ({
    id,
    organizationId: mine.id,
    type: 'item.minted',
    key: id,
    data: { item_id: id },
  }))
  await mine.ctx.db.event.createMany({ data: rows })
  await asOwner('ANALYZE events')
  const last = await mine.ctx.db.event.findFirstOrThrow({ orderBy: { id: 'desc' }, skip: 1 })
  const { statement, values } = readCall(mine.id, { position: last.position!, id: last.id }, 100)
  const text = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement.text}`
  const [explained] = await mine.ctx.rows({ name: 'explain_events', text }, ...values)
  const [{ Plan: plan }] = explained!['QUERY PLAN'] as [{ Plan: Record<string, number> }]
  expect(JSON.stringify(plan)).toContain('events_by_position')
  expect(plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!).toBeLessThan(20)
})

test('a cursor that another organization got, an altered one and one ahead of the database are refused', async () => {
  const [mine, theirs] = [await makeOrganization(), await makeOrganization()]
  const { cursor } = await listenerOf(theirs)({})
  const place = `${10n ** 17n} ${newId()}`
  const ahead = makeCursor(['events', mine.id], { limit: 1 }, place, null)
  const ofOtherList = makeCursor(['webhooks', mine.id], { limit: 1 }, newId(), newId())
  const unsigned = Buffer.from(`1:0:${LOWEST_UUID}:${mine.id}`).toString('base64url')
  for (const bad of [cursor, `${cursor}x`, 'nonsense', newId(), ahead, ofOtherList, unsigned])
    expect(await listenerOf(mine)({ after: bad })).toMatchObject({ status: 400, code: 'invalid_cursor' })
  expect(await listenerOf(mine)({ wait: 31 })).toMatchObject({ status: 400, errors: [{ field: 'wait' }] })
})

test('all listeners of a process are answered by one round trip a poll, and wait without a connection', async () => {
  const organizations = await Promise.all(Array.from({ length: 4 }, () => makeOrganization()))
  const idle = await makeOrganization()
  const listeners = organizations.flatMap((each) => [listenerOf(each), listenerOf(each), listenerOf(each)])
  const { roundTrips } = await countRoundTrips(async () => {
    const answers = listeners.map((listen) => listen({ wait: 30 }))
    expect(await listenerOf(idle)({ wait: 2 })).toMatchObject({ status: 200, results: [] })
    for (const each of organizations) await recordTestEvent(each)
    for (const answer of await Promise.all(answers)) expect(typesOf(answer)).toEqual(['item.minted'])
  })
  const polls = roundTrips.filter((text) => text.includes('coalesce($1::uuid') && text.includes('FROM events'))
  const statements = polls.map((text) => text.split('FROM events').length - 1)
  expect(Math.max(...statements)).toBeGreaterThan(organizations.length) // one at least for each, the idle one too
  expect(polls.length).toBeLessThan(listeners.length) // each has waited for two at least
})

test('a key waits five times at once; another key of the organization still may', async () => {
  const mine = await makeOrganization()
  const other = await makeKey(mine)
  const listen = listenerOf(mine)
  const waiting = Array.from({ length: 6 }, () => listen({ wait: 30 }))
  expect(await Promise.race(waiting)).toMatchObject({ status: 429, code: 'rate_limited' })
  expect(await listen({})).toMatchObject({ status: 200 })
  expect(await listenerOf({ ...mine, key: other.key })({ wait: 1 })).toMatchObject({ status: 200 })
  await recordTestEvent(mine)
  const answers = await Promise.all(waiting)
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429])
})

test('an organization waits fifty times at once, whatever its keys; another one still may, and who is gone waits no more', async () => {
  const [mine, theirs] = [await makeOrganization(), await makeOrganization()]
  const leaving = new AbortController()
  const wait = ({ id }: TestOrganization) =>
    waitForEvents(
      { type: 'claim', id: newId(), generation: 1 },
      { organizationId: id, after: { position: 0n, id: LOWEST_UUID }, limit: 1 },
      30,
      leaving.signal,
    )
  const waiting = Array.from({ length: 50 }, () => wait(mine))
  expect(() => wait(mine)).toThrow('This organization waits for events 50 times already.')
  waiting.push(wait(theirs))
  leaving.abort()
  waiting.push(wait(mine))
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => null))
})

test('an API key that is revoked while it waits is refused within a poll; another key goes on waiting', async () => {
  const mine = await makeOrganization()
  const revoked = await makeKey(mine)
  const other = listenerOf(mine)({ wait: 30 })
  const listen = listenerOf({ ...mine, key: revoked.key })
  const waiting = Array.from({ length: 6 }, () => listen({ wait: 30 }))
  // The others wait once one is too many.
  expect(await Promise.race(waiting)).toMatchObject({ status: 429 })
  expect((await callerOf(mine.key).delete(`/v1/api-keys/${revoked.keyId}`)).status).toBe(204)
  const answers = await Promise.all(waiting)
  expect(answers.map(({ status }) => status).sort()).toEqual([401, 401, 401, 401, 401, 429])
  await recordTestEvent(mine)
  expect(await other).toMatchObject({ status: 200 })
})

test('who waits holds no turn, isn’t ended by the time limit of requests, and is answered when the process stops', async () => {
  const mine = await makeOrganization()
  const server = await frontDoor(undefined, { atOnce: 1, waiting: 10, seconds: 1 })
  const headers = { authorization: `Bearer ${mine.key}` }
  const listen = (seconds: number) => {
    const listening = { answer: ask(`${server.url}/v1/events?wait=${seconds}`, { headers }), isOver: false }
    void listening.answer.then(() => (listening.isOver = true))
    return listening
  }
  const askBeside = async () => expect((await ask(`${server.url}/v1/me`, { headers })).status).toBe(200)
  const longer = listen(3)
  await askBeside()
  expect(longer.isOver).toBe(false)
  expect((await longer.answer).status).toBe(200)

  const ending = new AbortController()
  endLongPollsAt(ending.signal)
  onTestFinished(() => endLongPollsAt(new AbortController().signal))
  const listening = listen(30)
  await askBeside()
  expect(listening.isOver).toBe(false)
  ending.abort()
  const later = ask(`${server.url}/v1/events?wait=30`, { headers })
  for (const { status, body } of [await listening.answer, await later])
    expect([status, JSON.parse(body)]).toEqual([200, expect.objectContaining({ results: [] })])
})

test('a triggered example reaches listeners only: no webhook gets it, also not by a replay', async () => {
  replacePorts({ poster: guardedPoster(['127.0.0.1/32']) })
  const mine = await makeOrganization()
  const webhook = await makeWebhook(mine)
  const listen = listenerOf(mine)
  const api = callerOf(mine.key)
  const { cursor } = await listen({})
  const { status, body } = await api.post('/v1/events/trigger', { type: 'purchase.confirmed' })
  expect([status, body.test, body.data.currency]).toEqual([201, true, 'EUR'])
  expect((await collect(listen, cursor, 1)).found).toEqual([body])
  expect(await webhook.deliveries()).toEqual([])
  const since = new Date(Date.now() - 60_000).toISOString()
  expect((await api.post(`/v1/webhooks/${webhook.id}/replay`, { since })).body.replayed).toBe(0)
  expect((await api.post('/v1/events/trigger', { type: TEST_EVENT })).status).toBe(400)
})
