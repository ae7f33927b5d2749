import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { MINUTE, moveClock, resetClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { closeReport } from '../../lib/data/abuse/close-report.ts'
import { systemClient } from '../../lib/db/client.ts'
import { mailAlarms } from '../../lib/messaging/alarms/mail-alarms.ts'
import { tellAlarms } from '../../lib/messaging/alarms/tell-alarms.ts'
import { call, callerOf } from '../support/call.ts'
import { installFakeChain, makeItem, sendClaim } from '../support/claims.ts'
import { drainJobs } from '../support/jobs.ts'
import { makeListing } from '../support/listings.ts'
import { startMailbox } from '../support/mailbox.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { buy } from '../support/selling.ts'

const mailbox = await startMailbox()
const worker = () => systemContext('test')
const STORY = 'They use my pictures. <script>alert(1)</script>'

let mine: TestOrganization
let clients = 0
/** A client that nobody has seen before. */
const newClient = () => `198.51.${Math.floor(++clients / 250)}.${clients % 250}`
const report = (subject: object, { from = newClient(), ...body }: Record<string, unknown> = {}) =>
  call('POST', '/public/v1/abuse-reports', {
    body: { subject, reason: 'IMPERSONATION', ...body },
    headers: { 'x-client-address': String(from) },
  })
const reportsOf = (subjectId: string) => systemClient().abuseReport.findMany({ where: { subjectId } })
/** Every row of the organization but its reports, as text. */
async function contentsOf({ id }: TestOrganization): Promise<string> {
  const tables = await systemClient().$queryRaw<{ name: string }[]>`
    SELECT table_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name = 'organization_id' AND table_name <> 'abuse_reports' ORDER BY 1`
  const all = await Promise.all(
    tables.map(({ name }) =>
      systemClient().$queryRawUnsafe<unknown[]>(
        `SELECT (to_jsonb(t) - 'last_used_at')::text FROM ${name} t WHERE organization_id = '${id}' ORDER BY 1`,
      ),
    ),
  )
  return JSON.stringify(all)
}

beforeAll(() => void installFakeChain())
beforeEach(async () => {
  mine = await makeOrganization({ name: 'Museum of Dawn' })
})
afterAll(() => resetClock())

test('a claim, a purchase, a listing, an item and a collection can be reported', async () => {
  const claim = await sendClaim(mine)
  const listing = await makeListing(mine, { units: 3n, payment_providers: ['BETA_FREE_MINT'] })
  const { body: purchase } = await buy(listing.id, { buyer: { eth_address: `0x${'11'.repeat(20)}` } })
  const { itemId, collectionId } = await makeItem(mine)
  const before = await contentsOf(mine)
  const subjects = [
    { type: 'CLAIM', claim_token: claim.token },
    { type: 'PURCHASE', id: purchase.id, secret: purchase.secret },
    { type: 'LISTING', id: listing.id },
    { type: 'ITEM', id: itemId },
    { type: 'COLLECTION', id: collectionId },
  ]
  for (const subject of subjects)
    expect((await report(subject, { detail: STORY, email: 'Eve@example.com' })).status).toBe(204)
  const stored = await systemClient().abuseReport.findMany({
    where: { organizationId: mine.id },
    orderBy: { id: 'asc' },
  })
  expect(stored.map(({ subjectType, subjectId }) => [subjectType, subjectId])).toEqual([
    ['CLAIM', claim.id],
    ['PURCHASE', purchase.id],
    ['LISTING', listing.id],
    ['ITEM', itemId],
    ['COLLECTION', collectionId],
  ])
  expect(stored[0]).toMatchObject({ detail: STORY, email: 'eve@example.com', collectionId: claim.collectionId })
  expect(await contentsOf(mine)).toBe(before)
})

test('neither a claim’s token nor a purchase’s secret is stored anywhere, or told to the operator', async () => {
  const { token, id } = await sendClaim(mine)
  expect((await report({ type: 'CLAIM', claim_token: token })).status).toBe(204)
  const rows = await systemClient().$queryRaw<{ line: string }[]>`
    SELECT to_jsonb(r)::text AS line FROM abuse_reports r WHERE subject_id = ${id}::uuid
    UNION ALL SELECT payload::text FROM jobs WHERE name = 'tell-report'`
  expect(rows.length).toBeGreaterThan(1)
  await drainJobs()
  const alarms = await systemClient().alarm.findMany({ where: { kind: 'abuse_reported' } })
  expect(JSON.stringify([rows, alarms])).not.toContain(token)
  expect(alarms.some(({ subject }) => subject === `CLAIM ${id}`)).toBe(true)
})

test('a secret that isn’t right, a draft and what doesn’t exist can’t be reported, and all get the same answer', async () => {
  const listing = await makeListing(mine, { status: 'DRAFT' })
  const { itemId } = await makeItem(mine, { deployed: false })
  const offered = await makeListing(mine, { units: 3n, payment_providers: ['BETA_FREE_MINT'] })
  const { body: purchase } = await buy(offered.id, { buyer: { eth_address: `0x${'22'.repeat(20)}` } })
  const secret = 'A'.repeat(43)
  const answers = await Promise.all([
    report({ type: 'CLAIM', claim_token: secret }),
    report({ type: 'PURCHASE', id: purchase.id, secret }),
    report({ type: 'LISTING', id: listing.id }),
    report({ type: 'ITEM', id: itemId }),
    report({ type: 'COLLECTION', id: newId() }),
  ])
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
  expect(new Set(answers.map(({ body }) => body.detail)).size).toBe(1)
})

test('one client has one open report of a subject, however often and from however many addresses of its network', async () => {
  const { id } = await makeListing(mine)
  const from = (at: number) => `2001:db8:7:7::${at.toString(16)}`
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, at) => report({ type: 'LISTING', id }, { from: from(at + 1) })),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
  const [only, ...more] = await reportsOf(id)
  expect([only?.clientNetwork, more.length]).toEqual(['2001:db8:7:7::/64', 0])
  await closeReport(worker(), only!.id, 'Looked at it.')
  expect((await report({ type: 'LISTING', id }, { from: from(99) })).status).toBe(204)
  expect((await reportsOf(id)).map(({ closedAt, note }) => [closedAt !== null, note])).toEqual([
    [true, 'Looked at it.'],
    [false, null],
  ])
})

test('one client reports at most 10 things an hour, and one thing is reported by at most 30 clients an hour', async () => {
  const client = newClient()
  const items = await Promise.all(Array.from({ length: 11 }, () => makeItem(mine)))
  const statuses: number[] = []
  for (const { itemId: id } of items) statuses.push((await report({ type: 'ITEM', id }, { from: client })).status)
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 204), 429])

  const id = items[10]!.itemId
  const flood = await Promise.all(Array.from({ length: 60 }, () => report({ type: 'ITEM', id })))
  expect(flood.filter(({ status }) => status === 204)).toHaveLength(30)
  expect(flood.find(({ status }) => status === 429)!.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(await reportsOf(id)).toHaveLength(30)
})

test('a flood of reports about one subject is one mail to the operator, and the organization is told nothing', async () => {
  await systemClient().alarm.deleteMany()
  await systemClient().alarmNotice.deleteMany()
  const operator = {
    email: `${newId()}@operator.example`,
    locale: 'en' as const,
    webhookUrl: '',
    webhookSecret: 'whsec_',
  }
  const { id } = await makeListing(mine)
  const tell = async () => {
    await drainJobs()
    moveClock(61_000)
    await tellAlarms(worker(), operator)
    await mailAlarms(worker(), operator)
    await mailbox.deliver(operator.email)
    return mailbox.mailsTo(operator.email)
  }
  for (let at = 0; at < 20; at++) await report({ type: 'LISTING', id }, { detail: STORY, email: 'eve@example.com' })
  const mails = await tell()
  expect(mails).toHaveLength(1)
  expect(mails[0]!.text).toContain('Museum of Dawn')
  expect(mails[0]!.text).toContain('npm run admin -- reports')

  // Others within a quarter of an hour share the next mail.
  for (let at = 0; at < 5; at++) {
    const { itemId } = await makeItem(mine)
    await report({ type: 'ITEM', id: itemId })
    expect(await tell()).toHaveLength(1)
  }
  moveClock(15 * MINUTE * 1000)
  expect(await tell()).toHaveLength(2)

  await mailbox.deliver(mine.email)
  expect(mailbox.mailsTo(mine.email)).toEqual([])
  expect(await mine.ctx.db.event.count({ where: { type: { startsWith: 'alarm' } } })).toBe(0)
  const seen = await Promise.all(
    ['/v1/audit-entries', '/v1/listings', '/v1/me'].map((path) => callerOf(mine.key).get(path)),
  )
  expect(JSON.stringify(seen.map(({ body }) => body))).not.toMatch(/eve@example|alert\(1\)|IMPERSONATION/)
  await expect(mine.ctx.db.abuseReport.findMany()).rejects.toThrow('permission denied')
})

test.each([
  ['a text of 2,001 characters', { detail: 'x'.repeat(2001) }],
  ['a control character', { detail: 'a\u0000b' }],
  ['another reason', { reason: 'BECAUSE' }],
  ['something that is no email', { email: 'eve' }],
  ['a field that doesn’t exist', { organization_id: newId() }],
])('%s is refused', async (_, body) => {
  const { id } = await makeListing(mine)
  const answer = await report({ type: 'LISTING', id }, body)
  expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request'])
  expect(await reportsOf(id)).toEqual([])
})

test('a text of 2,000 characters on several lines is stored as it is', async () => {
  const { id } = await makeListing(mine)
  const detail = `${'é'.repeat(1000)}\n${'x'.repeat(999)}`
  expect((await report({ type: 'LISTING', id }, { detail })).status).toBe(204)
  expect((await reportsOf(id))[0]!.detail).toBe(detail)
})
