import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EVENT_TYPES } from '../../lib/platform/api/events.ts'
import { moveClock, now, resetClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { guardedPoster } from '../../lib/ports/egress/guarded-poster.ts'
import { replacePorts } from '../../lib/ports/ports.ts'
import { callerOf, code } from '../support/call.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { deliverDue, recordTestEvent, isSignedBy, makeWebhook } from '../support/webhooks.ts'

let mine: TestOrganization
let api: ReturnType<typeof callerOf>

beforeAll(() => replacePorts({ poster: guardedPoster(['127.0.0.1/32']) }))
beforeEach(async () => {
  mine = await makeOrganization()
  api = callerOf(mine.key)
})
afterEach(() => resetClock())

const url = 'https://203.0.113.1/hook'
const publicUrl = 'https://1.1.1.1/hook'
const make = (body: object = {}) => api.post('/v1/webhooks', { name: 'Shop', url: publicUrl, ...body })
const ago = (seconds: number) => new Date(now().getTime() - seconds * 1000).toISOString()

describe('webhooks', () => {
  test('a webhook is created, listed, read, changed and deleted; its secret is shown once', async () => {
    const made = await make({ events: ['item.minted', 'item.minted'] })
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      id: expect.any(String),
      name: 'Shop',
      url: publicUrl,
      events: ['item.minted'],
      status: 'ENABLED',
      disabled_reason: null,
      failing_since: null,
      previous_secret_until: null,
      last_delivery: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    })
    const { secret, ...shown } = made.body
    expect((await api.get(`/v1/webhooks/${shown.id}`)).body).toEqual(shown)
    expect((await api.get('/v1/webhooks')).body).toMatchObject({ total_results: 1, results: [shown] })
    expect((await api.get('/v1/webhooks?status=DISABLED')).body.total_results).toBe(0)
    const changed = await api.patch(`/v1/webhooks/${shown.id}`, { name: 'Warehouse', events: [], status: 'DISABLED' })
    expect(changed.body).toEqual({
      ...shown,
      name: 'Warehouse',
      events: [],
      status: 'DISABLED',
      updated_at: expect.any(String),
    })
    const row = await mine.ctx.db.webhook.findFirstOrThrow({ where: { id: shown.id } })
    expect(Buffer.from(row.secret).toString('latin1')).not.toContain(secret.slice(6, 20))
    expect((await api.delete(`/v1/webhooks/${shown.id}`)).status).toBe(204)
    expect(code(await api.get(`/v1/webhooks/${shown.id}`))).toEqual([404, 'not_found'])
    const trail = await mine.ctx.db.auditEntry.findMany({ where: { subjectId: shown.id }, orderBy: { id: 'asc' } })
    expect(trail.map(({ action }) => action)).toEqual(['webhook.created', 'webhook.updated', 'webhook.deleted'])
    expect(JSON.stringify(trail)).not.toContain('whsec_')
  })

  test('no events or null subscribes to all events', async () => {
    expect((await make()).body.events).toEqual([])
    expect((await make({ events: null })).body.events).toEqual([])
    expect((await make({ events: EVENT_TYPES })).body.events).toEqual(EVENT_TYPES)
  })

  test.each(['http://1.1.1.1/', 'https://10.0.0.1/', 'https://[::1]/', 'https://ada:pw@1.1.1.1/', 'no address', url])(
    'the URL %s is refused',
    async (bad) => {
      const refused = await make({ url: bad })
      expect(code(refused)).toEqual([422, 'webhook_url_invalid'])
      expect(refused.body.errors).toMatchObject([{ field: 'url' }])
      const { id } = (await make()).body
      expect(code(await api.patch(`/v1/webhooks/${id}`, { url: bad }))).toEqual([422, 'webhook_url_invalid'])
      expect((await api.get(`/v1/webhooks/${id}`)).body.url).toBe(publicUrl)
    },
  )

  test('unknown events, an empty name and an unknown state are refused', async () => {
    for (const bad of [
      { events: ['item.minted', 'item.lost'] },
      { events: ['webhook.test'] },
      { name: ' ' },
      { url: '' },
    ])
      expect(code(await make(bad))).toEqual([400, 'invalid_request'])
    const { id } = (await make()).body
    expect(code(await api.patch(`/v1/webhooks/${id}`, { status: 'PAUSED' }))).toEqual([400, 'invalid_request'])
  })

  test('an organization has at most 50 webhooks, also with simultaneous requests', async () => {
    const {
      id: _id,
      organizationId: _mine,
      ...template
    } = await mine.ctx.db.webhook.findFirstOrThrow({ where: { id: (await make()).body.id } })
    await mine.ctx.db.webhook.createMany({
      data: Array.from({ length: 48 }, () => ({ ...template, id: newId(), organizationId: mine.id })),
    })
    const answers = await Promise.all([make(), make(), make()])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect(answers.map(({ body }) => body.code)).toContain('webhook_limit')
  })

  test('a test event is signed and delivered to its webhook only', async () => {
    const hook = await makeWebhook(mine, { events: ['claim.created'] })
    const other = await makeWebhook(mine)
    const sent = await api.post(`/v1/webhooks/${hook.id}/test`)
    expect(sent.status).toBe(201)
    expect(sent.body).toMatchObject({
      webhook_id: hook.id,
      event_id: null,
      event_type: 'webhook.test',
      state: 'PENDING',
      attempts: 0,
      log: [],
    })
    await deliverDue()
    const [received] = hook.receiver.received
    expect(received!.json).toEqual(sent.body.payload)
    expect([
      isSignedBy(hook.secret, received!),
      received!.headers['webhook-id'],
      other.receiver.received.length,
    ]).toEqual([true, sent.body.message_id, 0])
    expect((await api.get(`/v1/webhook-deliveries/${sent.body.id}`)).body).toMatchObject({
      state: 'DELIVERED',
      attempts: 1,
      delivered_at: expect.any(String),
      next_attempt_at: null,
      log: [{ status: 200, error: null, answer: 'ok', milliseconds: expect.any(Number) }],
    })
    expect((await api.get(`/v1/webhooks/${hook.id}`)).body.last_delivery).toMatchObject({
      id: sent.body.id,
      event_type: 'webhook.test',
      state: 'DELIVERED',
    })
    await api.patch(`/v1/webhooks/${hook.id}`, { status: 'DISABLED' })
    expect(code(await api.post(`/v1/webhooks/${hook.id}/test`))).toEqual([409, 'webhook_disabled'])
  })

  test('after rotation both secrets sign, the old one for 24 hours', async () => {
    const hook = await makeWebhook(mine)
    const rotated = await api.post(`/v1/webhooks/${hook.id}/rotate-secret`)
    expect(rotated.status).toBe(200)
    expect(rotated.body).toMatchObject({
      id: hook.id,
      secret: expect.stringMatching(/^whsec_/),
      previous_secret_until: expect.any(String),
    })
    expect(rotated.body.secret).not.toBe(hook.secret)
    await recordTestEvent(mine)
    await deliverDue()
    expect([hook.secret, rotated.body.secret].map((secret) => isSignedBy(secret, hook.receiver.received[0]!))).toEqual([
      true,
      true,
    ])
    moveClock(25 * 3600 * 1000)
    expect((await api.get(`/v1/webhooks/${hook.id}`)).body).toMatchObject({ previous_secret_until: null })
  })
})

describe('webhook deliveries', () => {
  test('deliveries are listed newest first, filtered by state and event, with their attempts', async () => {
    const hook = await makeWebhook(mine)
    await recordTestEvent(mine, 'claim.created', { email: 'ada@example.com' })
    await deliverDue()
    hook.receiver.answer({ status: 500, body: 'Down.' })
    await recordTestEvent(mine, 'item.minted')
    await deliverDue()
    const list = async (query = '') => (await api.get(`/v1/webhooks/${hook.id}/deliveries?${query}`)).body
    const all = await list()
    expect(all).toMatchObject({
      total_results: 2,
      results: [
        {
          event_type: 'item.minted',
          state: 'PENDING',
          next_attempt_at: expect.any(String),
          log: [{ status: 500, answer: 'Down.' }],
        },
        { event_type: 'claim.created', state: 'DELIVERED' },
      ],
    })
    expect(Object.keys(all.results[1].payload)).toEqual(['type', 'id', 'organization_id', 'timestamp', 'data'])
    expect(all.results[1].payload.data).toEqual({ email: 'ada@example.com' })
    expect((await list('state=DELIVERED')).results.map((row: any) => row.event_type)).toEqual(['claim.created'])
    expect((await list('event_type=item.minted')).results).toHaveLength(1)
    expect((await list('event_type=item.burned')).results).toEqual([])
    const page = await list('limit=1')
    expect((await list(`limit=1&cursor=${page.cursor}`)).results.map((row: any) => row.event_type)).toEqual([
      'claim.created',
    ])
    expect(code(await api.get(`/v1/webhooks/${hook.id}/deliveries?state=LOST`))).toEqual([400, 'invalid_request'])
  })

  test('a delivery shows its last 50 attempts', async () => {
    const hook = await makeWebhook(mine)
    await recordTestEvent(mine)
    await deliverDue()
    const [delivery] = await hook.deliveries()
    const { id: _, ...last } = delivery!.log[0]!
    await systemClient().webhookAttempt.createMany({
      data: Array.from({ length: 60 }, (__, at) => ({ ...last, id: newId(), milliseconds: at })),
    })
    const { log } = (await api.get(`/v1/webhook-deliveries/${delivery!.id}`)).body
    expect([log.length, new Set(log.map((each: { milliseconds: number }) => each.milliseconds)).has(59)]).toEqual([
      50,
      true,
    ])
  })

  test('a replay sends the same id and content again; a waiting delivery is attempted at once instead', async () => {
    const hook = await makeWebhook(mine)
    await recordTestEvent(mine)
    await deliverDue()
    const [first] = await hook.deliveries()
    const again = await api.post(`/v1/webhook-deliveries/${first!.id}/replay`)
    expect(again.status).toBe(201)
    expect(again.body).toMatchObject({
      replay_of: first!.id,
      message_id: first!.messageId,
      event_id: first!.eventId,
      state: 'PENDING',
      payload: first!.payload,
    })
    await deliverDue()
    expect(hook.receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([
      first!.messageId,
      first!.messageId,
    ])
    expect(hook.receiver.received[1]!.body).toBe(hook.receiver.received[0]!.body)

    hook.receiver.answer({ status: 500 })
    await recordTestEvent(mine)
    await deliverDue()
    const waiting = (await hook.deliveries()).at(-1)!
    expect(waiting).toMatchObject({ state: 'PENDING', attempts: 1 })
    expect(waiting.nextAt!.getTime()).toBeGreaterThan(now().getTime())
    hook.receiver.answer({ status: 200 })
    expect((await api.post(`/v1/webhook-deliveries/${waiting.id}/replay`)).body).toMatchObject({
      id: waiting.id,
      replay_of: null,
    })
    await deliverDue()
    expect((await api.get(`/v1/webhook-deliveries/${waiting.id}`)).body.state).toBe('DELIVERED')
    await api.patch(`/v1/webhooks/${hook.id}`, { status: 'DISABLED' })
    expect(code(await api.post(`/v1/webhook-deliveries/${waiting.id}/replay`))).toEqual([409, 'webhook_disabled'])
  })

  test('a replay since a time sends the failed and unsent events, or all; not older or unsubscribed ones', async () => {
    const hook = await makeWebhook(mine, { events: ['item.minted'] })
    await recordTestEvent(mine)
    moveClock(3600_000)
    const replay = async (body: object) => {
      const answer = await api.post(`/v1/webhooks/${hook.id}/replay`, body)
      await deliverDue()
      return answer
    }
    const since = ago(60)
    await recordTestEvent(mine)
    await recordTestEvent(mine, 'claim.created')
    await deliverDue()
    await api.patch(`/v1/webhooks/${hook.id}`, { status: 'DISABLED' })
    expect(code(await replay({ since }))).toEqual([409, 'webhook_disabled'])
    await recordTestEvent(mine)
    await api.patch(`/v1/webhooks/${hook.id}`, { status: 'ENABLED' })
    expect(hook.receiver.received).toHaveLength(2)

    expect((await replay({ since, only_failed: true })).body).toEqual({
      replayed: 1,
      has_more: false,
      until: expect.any(String),
    })
    expect(hook.receiver.received).toHaveLength(3)
    const last = hook.receiver.received[2]!
    const event = await mine.ctx.db.event.findFirstOrThrow({ where: { type: 'item.minted' }, orderBy: { id: 'desc' } })
    expect(last.json).toMatchObject({ id: event.id, timestamp: event.createdAt.toISOString() })
    expect((await replay({ since, only_failed: true })).body).toEqual({ replayed: 0, has_more: false, until: null })

    expect((await replay({ since })).body.replayed).toBe(2)
    expect((await replay({ since: ago(7200) })).body.replayed).toBe(3)
    const ids = hook.receiver.received.map(({ headers }) => headers['webhook-id'])
    expect([ids.length, new Set(ids).size]).toEqual([8, 3])
    const rows = await systemClient().webhookDelivery.findMany({
      where: { webhookId: hook.id, replayOfId: { not: null } },
    })
    expect(rows).toHaveLength(5)
    expect(code(await replay({ since: ago(91 * 86_400) }))).toEqual([400, 'invalid_request'])
    expect(code(await replay({}))).toEqual([400, 'invalid_request'])
  })

  test('a replay sends what still waits at another webhook', async () => {
    const hook = await makeWebhook(mine, { events: ['item.minted'] })
    const since = ago(60)
    await recordTestEvent(mine)
    await deliverDue()
    const late = await makeWebhook(mine, { events: ['item.minted'] })
    late.receiver.answer({ status: 500 })
    await recordTestEvent(mine)
    await deliverDue()
    expect((await late.deliveries()).map(({ state }) => state)).toEqual(['PENDING'])
    expect((await api.post(`/v1/webhooks/${hook.id}/replay`, { since })).body.replayed).toBe(2)
    expect((await api.post(`/v1/webhooks/${late.id}/replay`, { since })).body.replayed).toBe(1)
  })

  test('a replay leaves out events of which only the key is left', async () => {
    const hook = await makeWebhook(mine)
    await recordTestEvent(mine, 'item.minted', {})
    await recordTestEvent(mine)
    await deliverDue()
    expect((await api.post(`/v1/webhooks/${hook.id}/replay`, { since: ago(60) })).body.replayed).toBe(1)
  })

  test('a replay covers 1,000 events at most and returns where to continue', async () => {
    const hook = await makeWebhook(mine)
    const began = now().getTime()
    await mine.ctx.db.event.createMany({
      data: Array.from({ length: 1001 }, (_, at) => ({
        id: newId(),
        organizationId: mine.id,
        type: 'item.minted',
        key: newId(),
        data: { at },
        createdAt: new Date(began - 2000 + at),
      })),
    })
    const first = await api.post(`/v1/webhooks/${hook.id}/replay`, { since: ago(60) })
    expect(first.body).toMatchObject({
      replayed: 1000,
      has_more: true,
      until: new Date(began - 2000 + 999).toISOString(),
    })
    expect((await api.post(`/v1/webhooks/${hook.id}/replay`, { since: first.body.until })).body).toMatchObject({
      replayed: 1,
      has_more: false,
    })
  })
})
