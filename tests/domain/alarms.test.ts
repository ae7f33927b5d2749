import { Webhook as Verifier } from 'standardwebhooks'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { HOUR, MINUTE, moveClock, resetClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { guardedPoster } from '../../lib/ports/egress/guarded-poster.ts'
import { replacePorts } from '../../lib/ports/ports.ts'
import { mailAlarms } from '../../lib/messaging/alarms/mail-alarms.ts'
import type { Operator } from '../../lib/messaging/alarms/operator.ts'
import { postAlarms } from '../../lib/messaging/alarms/post-alarms.ts'
import { tellAlarms } from '../../lib/messaging/alarms/tell-alarms.ts'
import { raiseAlarm, resolveAlarm } from '../../lib/records/alarms/raise-alarm.ts'
import { type Mailbox, startMailbox } from '../support/mailbox.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { deliverDue, makeWebhook } from '../support/webhooks.ts'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const mailbox: Mailbox = await startMailbox()

let mine: TestOrganization
let operator: Operator
const seconds = (count: number) => moveClock(count * 1000)

beforeEach(async () => {
  replacePorts({ poster: guardedPoster(['127.0.0.1/32']) })
  // Alarms of one test are nobody's in the next one.
  await systemClient().alarm.deleteMany()
  await systemClient().alarmNotice.deleteMany()
  mine = await makeOrganization({ name: 'Museum of Dawn' })
  operator = { email: `${newId()}@operator.example`, locale: 'en', webhookUrl: '', webhookSecret: SECRET }
})
afterEach(() => {
  resetClock()
  mailbox.refuse(null)
})

/** What the worker's timers do, and the sending of the mails that they wrote. */
async function tellEverybody(): Promise<void> {
  const worker = systemContext('test')
  await tellAlarms(worker, operator)
  await mailAlarms(worker, operator)
  for (const to of [mine.email, operator.email]) await mailbox.deliver(to)
}
const subjectsTo = (to: string) => mailbox.mailsTo(to).map(({ subject }) => subject)
const raise = (subject: string, detail = 'The card provider refused it.') =>
  raiseAlarm(mine.ctx, 'refund_stuck', subject, detail)
const resolve = (subject: string) => resolveAlarm(mine.ctx, 'refund_stuck', subject)

test('an organization’s alarm is mailed once to its owners and to the operator, and its end once', async () => {
  const foreign = await makeOrganization()
  const editor = await addMember(mine, 'EDITOR')
  const subject = newId()
  await raise(subject)
  seconds(61)
  await tellEverybody()
  await tellEverybody()
  seconds(2 * HOUR)
  await tellEverybody()
  for (const to of [mine.email, operator.email]) expect(subjectsTo(to)).toEqual(['Alarm: A refund doesn’t go through'])
  const [mail] = mailbox.mailsTo(mine.email)
  expect(mail!.text).toContain('The card provider refused it. Since ')
  expect(mail!.text).toContain('It is tried again by itself.')
  expect(mail!.text).toContain('/dashboard')
  expect(mailbox.mailsTo(operator.email)[0]!.text).toContain('Museum of Dawn: A refund')
  await resolve(subject)
  seconds(61)
  await tellEverybody()
  await tellEverybody()
  for (const to of [mine.email, operator.email])
    expect(subjectsTo(to)).toEqual(['Alarm: A refund doesn’t go through', 'Over: A refund doesn’t go through'])
  for (const to of [foreign.email, editor])
    expect(await systemClient().outboxMessage.count({ where: { toEmail: to } })).toBe(0)
})

test('an alarm of the whole installation is told to the operator only', async () => {
  const { deliveries } = await makeWebhook(mine)
  await raiseAlarm(systemContext('test'), 'chain_down', '137', 'No node of Polygon has answered for a minute.')
  seconds(61)
  await tellEverybody()
  expect(subjectsTo(operator.email)).toEqual(['Alarm: A network doesn’t answer'])
  expect(subjectsTo(mine.email)).toEqual([])
  expect(await deliveries()).toEqual([])
})

test('webhooks get alarm.opened and alarm.resolved of their own organization’s alarms, once each', async () => {
  const { receiver } = await makeWebhook(mine)
  const foreign = await makeWebhook(await makeOrganization())
  const subject = newId()
  await raise(subject)
  seconds(61)
  await tellEverybody()
  await tellEverybody()
  await resolve(subject)
  seconds(61)
  await tellEverybody()
  await deliverDue()
  expect(receiver.received.map(({ json }) => json.type)).toEqual(['alarm.opened', 'alarm.resolved'])
  const [opened, resolved] = receiver.received.map(({ json }) => json.data)
  expect(opened).toMatchObject({ kind: 'refund_stuck', subject, resolved_at: null })
  expect(resolved).toMatchObject({ alarm_id: opened.alarm_id, subject, resolved_at: expect.any(String) })
  expect(foreign.receiver.received).toEqual([])
})

test('the operator’s webhook gets every alarm signed, and again after a failure, with the same id', async () => {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  operator = { ...operator, webhookUrl: receiver.url }
  const worker = systemContext('test')
  const subject = newId()
  await raise(subject)
  await raiseAlarm(worker, 'chain_down', '137', 'No node of Polygon has answered for a minute.')
  seconds(61)
  await tellAlarms(worker, operator)
  receiver.answer({ status: 500 })
  expect(await postAlarms(worker, operator)).toBe(2)
  expect(await postAlarms(worker, operator)).toBe(0)
  receiver.answer({ status: 204, body: '' })
  seconds(30)
  expect(await postAlarms(worker, operator)).toBe(2)
  seconds(HOUR)
  expect(await postAlarms(worker, operator)).toBe(0)
  const idsOf = (from: number) => receiver.received.slice(from, from + 2).map(({ json }) => json.id as string)
  expect(idsOf(2).sort()).toEqual(idsOf(0).sort())
  for (const { body, headers, json } of receiver.received.slice(2)) {
    // The verifier compares with the real clock, which this test has left behind.
    const at = new Date(Number(headers['webhook-timestamp']) * 1000)
    expect(headers['webhook-signature']).toBe(new Verifier(SECRET).sign(String(headers['webhook-id']), at, body))
    expect(json.organization_id).toBe(json.data.kind === 'chain_down' ? null : mine.id)
  }
  expect(await systemClient().alarm.count()).toBe(2)
})

test('an alarm that is over within a minute is not told', async () => {
  const subject = newId()
  await raise(subject)
  seconds(30)
  await tellEverybody()
  await resolve(subject)
  seconds(HOUR)
  await tellEverybody()
  expect(subjectsTo(mine.email)).toEqual([])
})

test('an alarm that opens and ends every half minute for an hour is told once, and its end once', async () => {
  const { receiver } = await makeWebhook(mine)
  const subject = newId()
  for (let i = 0; i < 60; i++) {
    await raise(subject)
    seconds(30)
    await tellEverybody()
    await resolve(subject)
    seconds(30)
    await tellEverybody()
  }
  seconds(61)
  await tellEverybody()
  await deliverDue()
  expect(subjectsTo(mine.email)).toEqual(['Alarm: A refund doesn’t go through', 'Over: A refund doesn’t go through'])
  expect(receiver.received.map(({ json }) => json.type)).toEqual(['alarm.opened', 'alarm.resolved'])
})

test('one that opens again within 15 minutes of being told waits until they are over', async () => {
  const subject = newId()
  await raise(subject)
  seconds(61)
  await tellEverybody()
  await resolve(subject)
  seconds(61)
  await tellEverybody()
  await raise(subject)
  seconds(5 * MINUTE)
  await tellEverybody()
  expect(subjectsTo(mine.email)).toHaveLength(2)
  seconds(10 * MINUTE)
  await tellEverybody()
  expect(subjectsTo(mine.email)).toHaveLength(3)
  await resolve(subject)
  seconds(61)
  await tellEverybody()
  seconds(15 * MINUTE)
  await tellEverybody()
  expect(subjectsTo(mine.email).map((line) => line!.split(':')[0])).toEqual(['Alarm', 'Over', 'Alarm', 'Over'])
})

test('many alarms of one kind make one mail in 15 minutes, which counts those it doesn’t list', async () => {
  const raiseMany = () => Promise.all(Array.from({ length: 30 }, () => raise(newId())))
  await raiseMany()
  seconds(61)
  await tellEverybody()
  await raiseMany()
  for (let i = 0; i < 14; i++) {
    seconds(MINUTE)
    await tellEverybody()
  }
  expect(subjectsTo(mine.email)).toEqual(['30 new alarms'])
  expect(mailbox.mailsTo(mine.email)[0]!.text).toContain('And 10 more')
  seconds(2 * MINUTE)
  await tellEverybody()
  expect(subjectsTo(mine.email)).toEqual(['30 new alarms', '30 new alarms'])
})

test('a mail about alarms that can’t be delivered raises no alarm', async () => {
  await raise(newId())
  seconds(61)
  mailbox.refuse('No such mailbox.', 550)
  for (let i = 0; i < 9; i++) await tellEverybody()
  expect(await systemClient().outboxMessage.count({ where: { toEmail: mine.email, state: 'FAILED' } })).toBe(1)
  expect(await systemClient().outboxMessage.count({ where: { toEmail: operator.email, state: 'FAILED' } })).toBe(1)
  expect(await systemClient().alarm.findMany({ select: { kind: true } })).toEqual([{ kind: 'refund_stuck' }])
})

test('several workers at once tell an alarm and its mail once', async () => {
  await raise(newId())
  seconds(61)
  const worker = systemContext('test')
  const told = await Promise.all(Array.from({ length: 4 }, () => tellAlarms(worker, operator)))
  expect(told.reduce((sum, count) => sum + count, 0)).toBe(1)
  await Promise.all(Array.from({ length: 4 }, () => mailAlarms(worker, operator)))
  for (const toEmail of [mine.email, operator.email])
    expect(await systemClient().outboxMessage.count({ where: { toEmail } })).toBe(1)
})

test('a mail and the note that it is written are one: neither is kept when the other fails', async () => {
  await raise(newId())
  seconds(61)
  const worker = systemContext('test')
  await tellAlarms(worker, operator)
  const broken = {
    ...worker,
    ports: { ...worker.ports, addresses: { ...worker.ports.addresses, origin: 'no address' } },
  }
  await mailAlarms(broken, operator)
  expect(await systemClient().outboxMessage.count({ where: { toEmail: mine.email } })).toBe(0)
  await tellEverybody()
  expect(subjectsTo(mine.email)).toHaveLength(1)
})

test('an alarm that is raised while another transaction ends it stays open', async () => {
  const subject = newId()
  await raise(subject)
  const ended = Promise.withResolvers<void>()
  const commit = Promise.withResolvers<void>()
  const ending = inTransaction(mine.ctx, async (tx) => {
    await resolveAlarm(tx, 'refund_stuck', subject)
    ended.resolve()
    await commit.promise
  })
  await ended.promise
  const raising = raise(subject, 'It went wrong again.')
  await until(
    'The second transaction waits for the first',
    async () => (await systemContext().sql(Prisma.sql`SELECT 1 FROM pg_locks WHERE NOT granted`)).length > 0,
  )
  commit.resolve()
  await Promise.all([ending, raising])
  const open = await systemClient().alarm.findMany({ where: { subject, resolvedAt: null } })
  expect(open).toMatchObject([{ detail: 'It went wrong again.' }])
})

async function addMember({ id }: TestOrganization, role: 'EDITOR'): Promise<string> {
  const email = `${newId()}@example.com`
  const { id: userId } = await systemClient().user.create({ data: { id: newId(), email } })
  await systemClient().member.create({
    data: { id: newId(), organizationId: id, userId, role, joinedAt: new Date() },
  })
  return email
}
