import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { DAY, moveClock, resetClock, setBusinessTimeAhead } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { sendPin } from '../../lib/giving/send-pin.ts'
import { leaseMails } from '../../lib/messaging/outbox/lease-mails.ts'
import { openMailer } from '../../lib/messaging/outbox/mailer.ts'
import { sendOutboxMail } from '../../lib/messaging/outbox/send-mail.ts'
import { writeMails } from '../../lib/messaging/outbox/write-mail.ts'
import { sendMail } from '../../lib/platform/jobs/jobs.ts'
import { type MailMessage, MailRefused } from '../../lib/ports/mail/mail.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { runJob } from '../../lib/worker/run-jobs.ts'
import { asOwner } from '../support/as-owner.ts'
import { call } from '../support/call.ts'
import { installFakeChain, sendClaim } from '../support/claims.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { readStatistic } from '../support/statistics.ts'

let big: TestOrganization
let small: TestOrganization
beforeAll(() => installFakeChain())
beforeEach(async () => {
  resetClock()
  await systemClient().outboxMessage.deleteMany({})
  big = await makeOrganization()
  small = await makeOrganization()
})

const worker = () => systemContext('test')
const lease = (room: { urgent: boolean; max: number; busy?: Map<string, number> }) =>
  leaseMails(worker(), { busy: new Map(), ...room })
const ownersOf = (mails: readonly { owner: string }[]) => {
  const counts = Object.groupBy(mails, ({ owner }) => owner)
  return { big: counts[big.id]?.length ?? 0, small: counts[small.id]?.length ?? 0 }
}

/** Mails that nobody waits for. */
const makeMails = ({ ctx }: TestOrganization, count: number) =>
  writeMails(
    ctx,
    Array.from({ length: count }, () => ({
      templateType: 'MEMBER_INVITE' as const,
      to: `${newId()}@example.com`,
      variables: {
        organization_name: 'Night Gallery',
        inviter: 'Ada',
        role: 'viewer',
        sign_in_url: 'https://vitrine.example/invite',
        days: '7',
      },
    })),
  )
const PAGES_READ = `SELECT heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit AS value FROM pg_statio_user_tables WHERE relname = 'outbox_messages'`
const rowOf = (id: string) => systemClient().outboxMessage.findUniqueOrThrow({ where: { id } })

test('the mails of one organization leave no others waiting: all take turns', async () => {
  await makeMails(big, 200)
  await makeMails(small, 3)
  expect(ownersOf(await lease({ urgent: false, max: 6 }))).toEqual({ big: 3, small: 3 })
  await makeMails(small, 1)
  expect(ownersOf(await lease({ urgent: false, max: 1, busy: new Map([[big.id, 5]]) }))).toEqual({ big: 0, small: 1 })
})

test('an organization whose mail server hangs takes a part of a worker only', async () => {
  await makeMails(big, 60)
  const [mine] = await makeMails(small, 1)
  const { mail } = ports()
  const mayEnd = Promise.withResolvers<void>()
  onTestFinished(() => {
    mayEnd.resolve()
    replacePorts({ mail })
  })
  const sentTo: string[] = []
  const ofSmall = (await rowOf(mine!)).toEmail
  replacePorts({
    mail: {
      send: async ({ to }) => {
        if (to !== ofSmall) await mayEnd.promise
        sentTo.push(to)
        return { providerId: null }
      },
    },
  })
  const mailer = openMailer(worker, { urgent: false })
  expect(await mailer.begin()).toBe(17)
  await mailer.next()
  expect(sentTo).toEqual([ofSmall])
  expect(await mailer.begin()).toBe(0)
  const [late] = await makeMails(small, 1)
  expect(await mailer.begin()).toBe(1)
  mayEnd.resolve()
  await mailer.idle()
  expect(await rowOf(late!)).toMatchObject({ state: 'SENT' })
  expect(sentTo).toHaveLength(18)
})

test('a mail whose template can’t be filled leaves another organization’s in the same pass', async () => {
  const saved = await call('PUT', '/v1/email-templates/REDEEM_NFT', {
    key: big.key,
    body: { subject: 'x', format: 'HTML', text: '{{claim_url}}', body: '{{claim_url}}' },
  })
  expect(saved.status).toBe(200)
  await systemClient().emailTemplateVersion.updateMany({
    where: { organizationId: big.id },
    data: { html: '{{#item_title}}It never ends.' },
  })
  const [bad, good] = [await sendClaim(big), await sendClaim(small)]
  const { mail } = ports()
  onTestFinished(() => replacePorts({ mail }))
  replacePorts({ mail: { send: () => Promise.resolve({ providerId: null }) } })
  const mailer = openMailer(worker, { urgent: false })
  expect(await mailer.begin()).toBe(2)
  await mailer.idle()
  const stateTo = async ({ email }: { email: string }) =>
    (await systemClient().outboxMessage.findFirstOrThrow({ where: { toEmail: email } })).state
  expect([await stateTo(bad), await stateTo(good)]).toEqual(['PENDING', 'SENT'])
})

test('mails that are sent at the same time are read, rendered and recorded by a few statements', async () => {
  const claims = await Promise.all(Array.from({ length: 16 }, () => sendClaim(big)))
  const { mail } = ports()
  onTestFinished(() => replacePorts({ mail }))
  const received: MailMessage[] = []
  replacePorts({ mail: { send: async (message) => (received.push(message), { providerId: `id of ${message.to}` }) } })
  const mailer = openMailer(worker, { urgent: false })
  const { roundTrips } = await countRoundTrips(async () => {
    expect(await mailer.begin()).toBe(16)
    await mailer.idle()
  })
  expect(roundTrips.length, roundTrips.join('\n')).toBeLessThanOrEqual(12)
  expect(received.map(({ to }) => to).sort()).toEqual(claims.map(({ email }) => email).sort())
  // Each has words of its own.
  expect(new Set(received.map(({ html }) => html)).size).toBe(16)
  for (const { email } of claims)
    expect(await systemClient().outboxMessage.findFirstOrThrow({ where: { toEmail: email } })).toMatchObject({
      state: 'SENT',
      attempts: 1,
      variables: null,
      providerId: `id of ${email}`,
    })
})

test('of mails that are sent at the same time, one that was discarded and one that is refused concern no other', async () => {
  const ids = await makeMails(big, 5)
  const [discarded, refused] = await Promise.all([rowOf(ids[0]!), rowOf(ids[1]!)])
  const { mail } = ports()
  onTestFinished(() => replacePorts({ mail }))
  replacePorts({
    mail: {
      send: ({ to }) =>
        to === refused.toEmail
          ? Promise.reject(new MailRefused('Come back later.', { permanent: false }))
          : Promise.resolve({ providerId: null }),
    },
  })
  await systemClient().outboxMessage.update({ where: { id: discarded.id }, data: { state: 'DISCARDED' } })
  const results = await Promise.allSettled(ids.map((id) => sendOutboxMail(worker(), id)))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled'])
  const rows = await Promise.all(ids.map(rowOf))
  expect(rows.map(({ state, attempts }) => [state, attempts])).toEqual([
    ['DISCARDED', 0],
    ['PENDING', 1],
    ['SENT', 1],
    ['SENT', 1],
    ['SENT', 1],
  ])
})

test('a PIN has room of its own', async () => {
  await makeMails(big, 100)
  const claim = await sendClaim(big)
  await sendPin(claim.ctx)
  const urgent = await lease({ urgent: true, max: 16 })
  const rows = await Promise.all(urgent.map(({ id }) => rowOf(id)))
  expect(rows.map(({ templateType, toEmail }) => [templateType, toEmail])).toEqual([['CLAIM_PINCODE', claim.email]])
})

test('two workers never lease the same mail, and one that died has its mails sent by another', async () => {
  const ids = await makeMails(big, 20)
  const taken = await Promise.all([
    lease({ urgent: false, max: 10 }),
    lease({ urgent: false, max: 10 }),
    lease({ urgent: false, max: 10 }),
  ])
  const leased = taken.flat().map(({ id }) => id)
  expect(new Set(leased).size).toBe(leased.length)
  while ((await lease({ urgent: false, max: 10 })).length > 0);
  moveClock(19_000)
  expect(await lease({ urgent: false, max: 30 })).toEqual([])
  moveClock(1_000)
  const again = await Promise.all([lease({ urgent: false, max: 16 }), lease({ urgent: false, max: 16 })])
  expect(new Set(again.flat().map(({ id }) => id)).size).toBeGreaterThanOrEqual(16)
  expect(ids).toEqual(expect.arrayContaining(again.flat().map(({ id }) => id)))
})

test('a mail that is being sent is leased by nobody else when a sandbox’s clock is advanced', async () => {
  const [id] = await makeMails(big, 1)
  expect(await lease({ urgent: false, max: 10 })).toHaveLength(1)
  onTestFinished(() => setBusinessTimeAhead(0))
  setBusinessTimeAhead(DAY * 1000)
  expect(await lease({ urgent: false, max: 10 })).toEqual([])
  moveClock(20_000)
  expect((await lease({ urgent: false, max: 10 })).map((mail) => mail.id)).toEqual([id])
})

test('a mail that is refused for now waits longer each time', async () => {
  const [id] = await makeMails(big, 1)
  const { mail } = ports()
  onTestFinished(() => replacePorts({ mail }))
  replacePorts({
    mail: { send: () => Promise.reject(new MailRefused('Come back later.', { permanent: false })) },
  })
  const waits: number[] = []
  for (let tries = 1; tries <= 4; tries++) {
    const mailer = openMailer(worker, { urgent: false })
    expect(await mailer.begin()).toBe(1)
    await mailer.idle()
    const { nextAt, attempts } = await rowOf(id!)
    expect(attempts).toBe(tries)
    waits.push(nextAt!.getTime() - worker().now().getTime())
    moveClock(waits.at(-1)!)
  }
  for (const [at, wait] of waits.entries()) {
    expect(wait).toBeGreaterThanOrEqual(0.7 * 2_000 * 2 ** at)
    expect(wait).toBeLessThanOrEqual(1.25 * 2_000 * 2 ** at)
  }
})

test('a mail that release 0.1.0 wrote waits for its job, which makes it due', async () => {
  const [id] = await makeMails(big, 1)
  await systemClient().outboxMessage.update({ where: { id: id! }, data: { nextAt: null } })
  expect(await lease({ urgent: false, max: 10 })).toEqual([])
  await runJob(sendMail, { message_id: id })
  expect((await lease({ urgent: false, max: 10 })).map((mail) => mail.id)).toEqual([id])
})

test('leasing reads a few pages, also while a hundred thousand mails of one organization wait', async () => {
  const [id] = await makeMails(big, 1)
  await makeMails(small, 1)
  const db = systemClient()
  await db.$executeRaw`
    INSERT INTO outbox_messages (id, organization_id, template_type, to_email, variables, message_id, next_at, created_at)
    SELECT gen_random_uuid(), organization_id, template_type, to_email, variables, gen_random_uuid()::text, next_at, created_at
    FROM outbox_messages, generate_series(1, 100000) WHERE id = ${id}::uuid`
  await asOwner('ANALYZE outbox_messages')
  const before = await readStatistic(PAGES_READ)
  expect(ownersOf(await lease({ urgent: false, max: 2 }))).toEqual({ big: 1, small: 1 })
  expect(await lease({ urgent: true, max: 16 })).toEqual([])
  // All of them are on more than 3,000 pages; vacuum's own work may be counted meanwhile.
  expect((await readStatistic(PAGES_READ)) - before).toBeLessThan(500)
})
