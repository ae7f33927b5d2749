import { Webhook as Verifier } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { EVENTS } from '../../lib/platform/api/events.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { DAY, HOUR, moveClock, now, realNow, resetClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { EgressRefused } from '../../lib/ports/egress/egress.ts'
import { guardedPoster } from '../../lib/ports/egress/guarded-poster.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { deleteOldRows } from '../../lib/data/retention/delete-old-rows.ts'
import { finishDeletions } from '../../lib/messaging/deletions/finish-deletions.ts'
import { deleteWebhook } from '../../lib/messaging/webhooks/delete-webhook.ts'
import { deliver } from '../../lib/messaging/webhooks/deliver.ts'
import { openDeliverer } from '../../lib/messaging/webhooks/deliverer.ts'
import { recordEvent, recordEvents } from '../../lib/messaging/webhooks/record-event.ts'
import { replayDelivery } from '../../lib/messaging/webhooks/replay-delivery.ts'
import { replaySince } from '../../lib/messaging/webhooks/replay-since.ts'
import { nextAttemptAt } from '../../lib/messaging/webhooks/retry-schedule.ts'
import { rotateSecret } from '../../lib/messaging/webhooks/rotate-secret.ts'
import { leaseDeliveries } from '../../lib/messaging/webhooks/lease-deliveries.ts'
import { updateWebhook } from '../../lib/messaging/webhooks/update-webhook.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { startReceiver } from '../support/receiver.ts'
import { deliverDue, recordTestEvent, isSignedBy, makeWebhook } from '../support/webhooks.ts'

let mine: TestOrganization
const open = () => openDeliverer(() => systemContext('test'))
const seconds = (count: number) => moveClock(count * 1000)
const settings = { headers: { 'content-type': 'application/json' }, body: '{}', timeoutMs: 5_000 }

beforeEach(async () => {
  replacePorts({ poster: guardedPoster(['127.0.0.1/32']) })
  mine = await makeOrganization()
})
afterEach(() => resetClock())

describe('recording and signing events', () => {
  test('an event is sent to each subscribed webhook, with a Standard Webhooks signature', async () => {
    const [all, some, other] = [
      await makeWebhook(mine),
      await makeWebhook(mine, { events: ['item.minted', 'claim.created'] }),
      await makeWebhook(mine, { events: ['listing.created'] }),
    ]
    const foreign = await makeWebhook(await makeOrganization())
    const data = { item_id: newId(), quantity: 12n, nested: { z: 1, a: [true, null] } }
    await recordTestEvent(mine, 'item.minted', data)
    await deliverDue()
    expect([all, some, other, foreign].map(({ receiver }) => receiver.received.length)).toEqual([1, 1, 0, 0])
    const [received] = some.receiver.received
    const event = await mine.ctx.db.event.findFirstOrThrow({ where: { type: 'item.minted' } })
    const verified = new Verifier(some.secret).verify(received!.body, received!.headers as Record<string, string>)
    expect(verified).toEqual({
      type: 'item.minted',
      id: event.id,
      organization_id: mine.id,
      timestamp: event.createdAt.toISOString(),
      data: { ...data, quantity: '12' },
    })
    expect(received!.headers).toMatchObject({ 'webhook-id': event.id, 'content-type': 'application/json' })
    expect(isSignedBy(all.secret, received!)).toBe(false)
    const [delivery] = await some.deliveries()
    expect(delivery).toMatchObject({
      state: 'DELIVERED',
      attempts: 1,
      nextAt: null,
      deliveredAt: expect.any(Date),
      log: [{ status: 200, error: null, answer: 'ok' }],
    })
  })

  test('an event recorded twice with the same key is stored and delivered once', async () => {
    const { deliveries } = await makeWebhook(mine)
    const key = newId()
    const record = () =>
      inTransaction(mine.ctx, (tx) => recordEvent(tx, 'claim.created', key, EVENTS['claim.created'].data))
    expect([await record(), await record()]).toEqual([true, false])
    await inTransaction(systemContext(), (tx) =>
      recordEvents(tx, [
        { organizationId: mine.id, type: 'claim.created', key, data: EVENTS['claim.created'].data },
        { organizationId: mine.id, type: 'claim.created', key: newId(), data: EVENTS['claim.created'].data },
      ]),
    )
    expect(await deliveries()).toHaveLength(2)
  })

  test('an event whose transaction is rolled back is never delivered', async () => {
    const { receiver, deliveries } = await makeWebhook(mine)
    await inTransaction(mine.ctx, async (tx) => {
      await recordEvent(tx, 'item.minted', newId(), EVENTS['item.minted'].data)
      throw new Error('No.')
    }).catch(() => undefined)
    await deliverDue()
    expect([receiver.received.length, (await deliveries()).length]).toEqual([0, 0])
  })

  test('deleting a webhook while a transaction records events doesn’t fail the transaction', async () => {
    const { id } = await makeWebhook(mine)
    let deleted: Promise<unknown> = Promise.resolve()
    await inTransaction(mine.ctx, async (tx) => {
      await recordEvent(tx, 'item.minted', newId(), EVENTS['item.minted'].data)
      deleted = deleteWebhook(mine.ctx, id)
      await recordEvent(tx, 'item.minted', newId(), EVENTS['item.minted'].data)
    })
    await deleted
    await finishDeletions(systemContext())
    expect(await mine.ctx.db.event.count()).toBe(2)
    expect(await mine.ctx.db.webhookDelivery.count()).toBe(0)
  })

  test('after a rotation both secrets sign for a day, then only the new one', async () => {
    const { id, secret, receiver } = await makeWebhook(mine)
    const rotated = await rotateSecret(mine.ctx, id)
    expect(rotated.previous_secret_until!.getTime() - now().getTime()).toBeGreaterThan(DAY * 1000 - 60_000)
    await recordTestEvent(mine)
    await deliverDue()
    const [both] = receiver.received
    expect(String(both!.headers['webhook-signature']).split(' ')).toHaveLength(2)
    for (const known of [secret, rotated.secret])
      expect(new Verifier(known).verify(both!.body, both!.headers as Record<string, string>)).toMatchObject({
        type: 'item.minted',
      })
    seconds(DAY + 1)
    await recordTestEvent(mine)
    await deliverDue()
    const last = receiver.received.at(-1)!
    expect([
      isSignedBy(secret, last),
      isSignedBy(rotated.secret, last),
      String(last.headers['webhook-signature']).split(' ').length,
    ]).toEqual([false, true, 1])
  })
})

describe('failing receivers', () => {
  test('waits between attempts grow to 14 hours, and the last attempt is after three days', () => {
    const begun = now()
    const waits: number[] = []
    for (let [at, attempts] = [begun, 1]; ; attempts++) {
      const next = nextAttemptAt(begun, attempts, at, 0.5)
      if (!next) break
      waits.push((next.getTime() - at.getTime()) / 1000)
      at = next
      if (at.getTime() - begun.getTime() === 3 * DAY * 1000) expect(nextAttemptAt(begun, attempts + 1, at)).toBeNull()
    }
    expect(waits.slice(0, 8)).toEqual([5, 60, 300, 1800, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR])
    expect(waits.reduce((sum, wait) => sum + wait)).toBe(3 * DAY)
  })

  test('a delivery is attempted for three days with one webhook-id, then FAILED, with every attempt logged', async () => {
    const { receiver, deliveries, row } = await makeWebhook(mine)
    receiver.answer({ status: 500, body: 'Out of order.' })
    await recordTestEvent(mine)
    await deliverDue()
    const [first] = await deliveries()
    expect(first).toMatchObject({
      state: 'PENDING',
      attempts: 1,
      log: [{ status: 500, error: 'The receiver answered 500.', answer: 'Out of order.' }],
    })
    expect(first!.nextAt!.getTime() - now().getTime()).toBeLessThan(6_000)
    expect((await row()).failingSince).not.toBeNull()
    for (let tries = 0; tries < 30; tries++) {
      const [waiting] = await deliveries()
      if (waiting!.state !== 'PENDING') break
      moveClock(waiting!.nextAt!.getTime() - now().getTime() + 1)
      await deliverDue()
    }
    const [last] = await deliveries()
    expect(last).toMatchObject({ state: 'FAILED', nextAt: null })
    expect(now().getTime() - last!.createdAt.getTime()).toBeGreaterThanOrEqual(3 * DAY * 1000)
    expect(last!.attempts).toBe(receiver.received.length)
    expect(last!.log).toHaveLength(receiver.received.length)
    expect(receiver.received.length).toBeGreaterThan(10)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect((await row()).status).toBe('ENABLED')
  })

  test('one success clears failingSince', async () => {
    const { receiver, row } = await makeWebhook(mine)
    receiver.answer({ status: 503 })
    await recordTestEvent(mine)
    await deliverDue()
    receiver.answer({ status: 204, body: '' })
    seconds(10)
    await deliverDue()
    expect(receiver.received).toHaveLength(2)
    expect((await row()).failingSince).toBeNull()
  })

  test('after five days of failures the webhook is disabled, its deliveries fail and admins get one mail', async () => {
    const { id, receiver, row, deliveries } = await makeWebhook(mine)
    await systemClient().member.updateMany({ where: { organizationId: mine.id }, data: { joinedAt: new Date() } })
    receiver.answer({ status: 500 })
    await recordTestEvent(mine)
    await deliverDue()
    seconds(4 * DAY)
    await recordTestEvent(mine)
    await deliverDue()
    expect((await row()).status).toBe('ENABLED')
    seconds(DAY + HOUR)
    await recordTestEvent(mine)
    await recordTestEvent(mine)
    await deliverDue()
    expect(await row()).toMatchObject({
      status: 'DISABLED',
      disabledReason: 'Every attempt has failed for 5 days. The last one: The receiver answered 500.',
    })
    expect((await deliveries()).map(({ state }) => state)).toEqual(['FAILED', 'FAILED', 'FAILED', 'FAILED'])
    const mails = await systemClient().outboxMessage.findMany({
      where: { organizationId: mine.id, templateType: 'WEBHOOK_DISABLED' },
    })
    expect(mails.map(({ toEmail }) => toEmail)).toEqual([mine.email])
    expect(
      await mine.ctx.db.alarm.findMany({ where: { kind: 'webhook_disabled', subject: id, resolvedAt: null } }),
    ).toHaveLength(1)
    expect(
      await mine.ctx.db.auditEntry.findMany({ where: { action: 'webhook.disabled', subjectId: id } }),
    ).toHaveLength(1)

    // Nothing is sent until the webhook is enabled again; then its failure time starts anew.
    const before = receiver.received.length
    await recordTestEvent(mine)
    await deliverDue()
    expect(receiver.received).toHaveLength(before)
    await updateWebhook(mine.ctx, id, { status: 'ENABLED' })
    expect(await row()).toMatchObject({ status: 'ENABLED', disabledReason: null, failingSince: null })
    expect(await mine.ctx.db.alarm.count({ where: { kind: 'webhook_disabled', subject: id, resolvedAt: null } })).toBe(
      0,
    )
    receiver.answer({ status: 200 })
    await replaySince(mine.ctx, id, { since: new Date(now().getTime() - 6 * DAY * 1000), only_failed: true })
    await deliverDue()
    expect(receiver.received).toHaveLength(before + 5)
  })

  /** What this process leases of a webhook's deliveries. */
  const lease = async (id: string) =>
    (await leaseDeliveries(systemContext('test'), { max: 1_000, busy: new Map() })).filter(
      ({ webhookId }) => webhookId === id,
    )

  test('the outcome of a delivery changes no other one of the same lease', async () => {
    const { id, receiver, deliveries } = await makeWebhook(mine)
    receiver.answer({ status: 500 })
    await recordTestEvent(mine)
    await recordTestEvent(mine)
    const [first, second] = await lease(id)
    await deliver(systemContext('test'), first!)
    const stateOf = async ({ id: deliveryId }: { id: string }) => {
      const row = (await deliveries()).find((each) => each.id === deliveryId)!
      return [row.attempts, row.postingUntil !== null]
    }
    expect([await stateOf(first!), await stateOf(second!)]).toEqual([
      [1, false],
      [0, true],
    ])
  })

  test('a delivery that is posted twice keeps the time of its first arrival', async () => {
    const { id, deliveries } = await makeWebhook(mine)
    await recordTestEvent(mine)
    const [due] = await lease(id)
    const deliveredAt = async () => (await deliveries())[0]!.deliveredAt
    await deliver(systemContext('test'), due!)
    const first = await deliveredAt()
    seconds(30)
    await deliver(systemContext('test'), due!)
    expect(first).not.toBeNull()
    expect(await deliveredAt()).toEqual(first)
  })

  test('a delivery is leased for a minute', async () => {
    const { id } = await makeWebhook(mine)
    await recordTestEvent(mine)
    const before = realNow().getTime()
    const leased = await lease(id)
    expect(leased).toHaveLength(1)
    expect(leased[0]!.lease.getTime()).toBeGreaterThanOrEqual(before + 60_000)
    expect(leased[0]!.lease.getTime()).toBeLessThanOrEqual(realNow().getTime() + 60_000)
  })

  test('the reason of a failed attempt is cut to 500 characters', async () => {
    const { deliveries } = await makeWebhook(mine)
    const { poster } = ports()
    replacePorts({ poster: { ...poster, post: () => Promise.reject(new Error('x'.repeat(600))) } })
    onTestFinished(() => replacePorts({ poster }))
    await recordTestEvent(mine)
    await deliverDue()
    const [{ log } = { log: [] }] = await deliveries()
    expect(log.map(({ error }) => error?.length)).toEqual([500])
  })

  test('an answer of 410 disables the webhook at once; its alarm ends when it is deleted', async () => {
    const { id, receiver, row, deliveries } = await makeWebhook(mine)
    receiver.answer({ status: 410 })
    await recordTestEvent(mine)
    await deliverDue()
    expect(await row()).toMatchObject({ status: 'DISABLED', disabledReason: 'Its receiver answered 410 Gone.' })
    expect((await deliveries())[0]).toMatchObject({ state: 'FAILED', attempts: 1, nextAt: null })
    const alarms = () => mine.ctx.db.alarm.count({ where: { kind: 'webhook_disabled', subject: id, resolvedAt: null } })
    expect(await alarms()).toBe(1)
    await deleteWebhook(mine.ctx, id)
    expect(await alarms()).toBe(0)
  })

  test('a redirect is a failure and is not followed', async () => {
    const redirectTarget = await startReceiver()
    const { receiver, deliveries } = await makeWebhook(mine)
    receiver.answer({ status: 302, headers: { location: redirectTarget.url } })
    await recordTestEvent(mine)
    await deliverDue()
    await redirectTarget.close()
    expect(redirectTarget.received).toHaveLength(0)
    expect((await deliveries())[0]).toMatchObject({
      state: 'PENDING',
      log: [{ status: 302, error: 'The receiver redirects (302); redirects are not followed.' }],
    })
  })

  test('answers from 300 to 399 are logged as redirects, those around them are not', async () => {
    const { receiver, deliveries } = await makeWebhook(mine)
    await recordTestEvent(mine)
    for (const status of [300, 399, 400]) {
      receiver.answer({ status })
      seconds(3600)
      await deliverDue()
    }
    expect((await deliveries())[0]!.log.map(({ error }) => error)).toEqual([
      'The receiver redirects (300); redirects are not followed.',
      'The receiver redirects (399); redirects are not followed.',
      'The receiver answered 400.',
    ])
  })

  test('a refused connection and a private host are logged with a plain reason', async () => {
    const closed = await startReceiver()
    await closed.close()
    const { id, deliveries } = await makeWebhook(mine)
    await systemClient().webhook.update({ where: { id }, data: { url: closed.url } })
    await recordTestEvent(mine)
    await deliverDue()
    expect((await deliveries())[0]!.log[0]).toMatchObject({
      status: null,
      answer: null,
      error: 'The host refuses the connection.',
    })
    replacePorts({ poster: guardedPoster([]) })
    seconds(10)
    await deliverDue()
    expect((await deliveries())[0]!.log.map(({ error }) => error)).toContain(
      'This address is not on the public internet. Who runs this installation can allow its range with EGRESS_ALLOW.',
    )
  })
})

describe('addresses that may be posted to', () => {
  const refused = [
    'http://1.1.1.1/',
    'ftp://1.1.1.1/',
    'https://ada:pw@1.1.1.1/',
    'https://127.0.0.1/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://2130706433/',
    'https://localhost/',
    'nonsense',
  ]
  test.each(refused)('%s is refused when saved and when posted to', async (url) => {
    const poster = guardedPoster([])
    await expect(poster.assertUrl(url)).rejects.toBeInstanceOf(EgressRefused)
    if (URL.canParse(url)) await expect(poster.post(url, settings)).rejects.toBeInstanceOf(EgressRefused)
  })

  test('public addresses and unresolvable names can be saved; http only in the allowed ranges', async () => {
    await guardedPoster([]).assertUrl('https://1.1.1.1/hook')
    await guardedPoster([]).assertUrl('https://hooks.example.invalid/')
    await expect(guardedPoster(['127.0.0.1/32']).assertUrl('http://hooks.example.invalid/')).rejects.toThrow(
      'Only https addresses are posted to.',
    )
    await guardedPoster(['127.0.0.1/32']).assertUrl('http://127.0.0.1:1/')
  })

  test('only the first 4 KiB of an answer are stored', async () => {
    const receiver = await startReceiver()
    receiver.answer({ status: 200, body: `\0${'x'.repeat(100_000)}` })
    const { status, answer } = await ports().poster.post(receiver.url, settings)
    await receiver.close()
    expect([status, answer]).toEqual([200, 'x'.repeat(4095)])
  })

  test('a receiver that doesn’t answer in time is a TimeoutError', async () => {
    const receiver = await startReceiver()
    const releaseAnswers = receiver.holdAnswers()
    await expect(ports().poster.post(receiver.url, { ...settings, timeoutMs: 50 })).rejects.toMatchObject({
      name: 'TimeoutError',
    })
    releaseAnswers()
    await receiver.close()
  })
})

describe('concurrent deliveries', () => {
  test('four workers at once deliver each event once', async () => {
    const hooks = [await makeWebhook(mine), await makeWebhook(mine)]
    for (let count = 0; count < 20; count++) await recordTestEvent(mine)
    await Promise.all(Array.from({ length: 4 }, () => deliverDue()))
    await deliverDue()
    for (const { receiver, deliveries } of hooks) {
      expect(receiver.received).toHaveLength(20)
      expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(20)
      expect((await deliveries()).every(({ state, attempts }) => state === 'DELIVERED' && attempts === 1)).toBe(true)
    }
  })

  test('a slow receiver gets four posts at a time and doesn’t delay others', async () => {
    const slow = await makeWebhook(mine)
    const releaseAnswers = slow.receiver.holdAnswers()
    for (let count = 0; count < 9; count++) await recordTestEvent(mine)
    const deliverer = open()
    while ((await deliverer.begin()) > 0);
    await slow.receiver.waitForRequests(4)
    const quick = await makeWebhook(mine)
    for (let count = 0; count < 3; count++) await recordTestEvent(mine)
    while ((await deliverer.begin()) > 0);
    await quick.receiver.waitForRequests(3)
    expect(slow.receiver.received).toHaveLength(4)
    releaseAnswers()
    await deliverer.idle()
    while ((await deliverer.begin()) > 0) await deliverer.idle()
    expect([slow.receiver.received.length, quick.receiver.received.length]).toEqual([12, 3])
  })

  test('a delivery whose worker died is taken over after its lease, with the same webhook-id', async () => {
    const { receiver, deliveries } = await makeWebhook(mine)
    await recordTestEvent(mine)
    const [taken] = await leaseDeliveries(systemContext('test'), { max: 1, busy: new Map() })
    await deliverDue()
    expect(receiver.received).toHaveLength(0)
    seconds(61)
    await deliverDue()
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([taken!.messageId])
    expect((await deliveries())[0]).toMatchObject({ state: 'DELIVERED', attempts: 1 })
  })

  test('an attempt that fails after its delivery was taken over is logged, and changes nothing else', async () => {
    const { receiver, deliveries } = await makeWebhook(mine)
    receiver.answer({ status: 500 })
    await recordTestEvent(mine)
    const worker = systemContext('test')
    const lease = async () => (await leaseDeliveries(worker, { max: 1, busy: new Map() }))[0]!
    const late = await lease()
    seconds(61)
    const taken = await lease()
    expect(taken.id).toBe(late.id)
    const { nextAt } = (await deliveries())[0]!
    await deliver(worker, late)
    expect((await deliveries())[0]).toMatchObject({
      state: 'PENDING',
      attempts: 0,
      nextAt,
      postingUntil: taken.lease,
      log: [{ status: 500 }],
    })
    await deliver(worker, taken)
    expect((await deliveries())[0]).toMatchObject({ state: 'PENDING', attempts: 1, postingUntil: null })
  })

  test('a replay requested during a post doesn’t post a second time', async () => {
    const { receiver, deliveries } = await makeWebhook(mine)
    const releaseAnswers = receiver.holdAnswers()
    await recordTestEvent(mine)
    const deliverer = open()
    await deliverer.begin()
    await receiver.waitForRequests(1)
    const { id } = (await deliveries())[0]!
    expect(await replayDelivery(mine.ctx, id)).toMatchObject({ id, replay_of: null })
    expect(await deliverer.begin()).toBe(0)
    releaseAnswers()
    await deliverer.idle()
    expect([receiver.received.length, (await deliveries())[0]!.state]).toEqual([1, 'DELIVERED'])
  })

  test('a webhook deleted or disabled during a post: no row remains, or the delivery is DELIVERED', async () => {
    const [deleted, disabled] = [await makeWebhook(mine), await makeWebhook(mine)]
    const releaseAnswers = [deleted.receiver.holdAnswers(), disabled.receiver.holdAnswers()]
    await recordTestEvent(mine)
    const deliverer = open()
    await deliverer.begin()
    await Promise.all([deleted.receiver.waitForRequests(1), disabled.receiver.waitForRequests(1)])
    await deleteWebhook(mine.ctx, deleted.id)
    await updateWebhook(mine.ctx, disabled.id, { status: 'DISABLED' })
    expect((await disabled.deliveries())[0]!.state).toBe('FAILED')
    for (const open of releaseAnswers) open()
    await deliverer.idle()
    await finishDeletions(systemContext())
    expect(await deleted.deliveries()).toEqual([])
    expect((await disabled.deliveries())[0]).toMatchObject({ state: 'DELIVERED', log: [{ status: 200 }] })
  })

  test('deliveries and their attempts are deleted after 90 days', async () => {
    const { deliveries } = await makeWebhook(mine)
    await recordTestEvent(mine)
    await deliverDue()
    seconds(89 * DAY)
    await deleteOldRows(systemContext())
    expect(await deliveries()).toHaveLength(1)
    seconds(DAY + 1)
    await deleteOldRows(systemContext())
    expect(await deliveries()).toHaveLength(0)
    expect(await mine.ctx.db.webhookAttempt.count()).toBe(0)
  })
})
