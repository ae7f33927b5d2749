import { readFileSync } from 'node:fs'
import { NextRequest } from 'next/server'
import pg from 'pg'
import { afterEach, expect, test, vi } from 'vitest'
import { GET, POST } from '../../app/api/auth/[...nextauth]/route.ts'
import { DAY, HOUR, moveClock, now, resetClock, secondsFrom } from '../../lib/core/clock.ts'
import { env } from '../../lib/core/env.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { askForSignIn } from '../../lib/members/ask-for-sign-in.ts'
import { endOtherSessions, endOwnSession } from '../../lib/members/end-sessions.ts'
import { sendSignIn } from '../../lib/members/send-sign-in.ts'
import { openVariables } from '../../lib/messaging/outbox/outbox.ts'
import { memberContext, systemContext } from '../../lib/platform/auth/authenticate.ts'
import type { Context } from '../../lib/platform/auth/context.ts'
import { sessionHash } from '../../lib/platform/auth/create-session.ts'
import { linkRequestContext } from '../../lib/platform/auth/narrow-contexts.ts'
import { deleteOldRows } from '../../lib/data/retention/delete-old-rows.ts'
import { listSessions } from '../../lib/platform/auth/sessions.ts'
import { createSignInLink } from '../../lib/platform/auth/sign-in.ts'
import { drainJobs } from '../support/jobs.ts'
import { nextAuth, optionsOf } from '../support/next-auth.ts'
import { makeOrganization } from '../support/organization.ts'
import { makeSession } from '../support/sessions.ts'

afterEach(() => {
  vi.restoreAllMocks()
  resetClock()
})

const caller = { requestId: 'test', clientAddress: '127.0.0.1' }
const mailsTo = (toEmail: string) =>
  systemClient().outboxMessage.findMany({ where: { toEmail }, orderBy: { createdAt: 'asc' } })

/** Asks for a link as a stranger does, and lets the worker do its part. */
async function ask(email: string): Promise<void> {
  await askForSignIn(linkRequestContext({ requestId: 'sign-in' }), { email })
  await drainJobs()
}

const linksTo = async (email: string): Promise<URL[]> =>
  (await mailsTo(email)).map((mail) => new URL(openVariables<'SIGN_IN'>({ id: mail.id }, mail.variables!).sign_in_url))

/** Presses the button of a link's page; the token of the new session, or null. */
async function press(link: URL, replaces?: string): Promise<string | null> {
  const { cookies } = await nextAuth({
    path: ['callback', 'email'],
    method: 'POST',
    query: Object.fromEntries(link.searchParams),
    ...(replaces && { cookies: { 'next-auth.session-token': replaces } }),
  })
  return cookies['next-auth.session-token'] || null
}

/** The statements that `work` sends to PostgreSQL. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = []
  const query = vi.spyOn(pg.Client.prototype, 'query')
  query.mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [statement] = args
    sent.push(typeof statement === 'string' ? statement : (statement as { text: string }).text)
    return original.apply(this, args as never) as never
  })
  try {
    await work()
  } finally {
    query.mockRestore()
  }
  return sent
}
const original = pg.Client.prototype.query as (this: pg.Client, ...args: never[]) => unknown

test('a mailbox gets five sign-in mails in an hour, however many are asked for; earlier links stay valid', async () => {
  const { email } = await makeOrganization()
  for (let asked = 0; asked < 7; asked++) await ask(asked % 2 ? email.toUpperCase() : email)
  const links = await linksTo(email)
  expect(links).toHaveLength(5)
  for (const link of links) expect(await press(link)).not.toBeNull()

  moveClock(HOUR * 1000 + 1000)
  await ask(email)
  expect(await mailsTo(email)).toHaveLength(6)
})

test('twenty jobs at once for one mailbox send five mails', async () => {
  const { email } = await makeOrganization()
  await Promise.all(Array.from({ length: 20 }, () => sendSignIn(systemContext(), { email })))
  expect(await mailsTo(email)).toHaveLength(5)
})

test('a mailbox over its limit still signs in with OAuth', async () => {
  const { email } = await makeOrganization()
  for (let asked = 0; asked < 6; asked++) await ask(email)
  const maySignIn = optionsOf().callbacks!.signIn!
  const account = { provider: 'google', type: 'oauth', providerAccountId: '1' } as const
  const asGoogle = (email_verified: boolean) =>
    maySignIn({ user: { id: '1', email }, account, profile: { email, email_verified } as never })
  expect(await asGoogle(true)).toBe(true)
  expect(await asGoogle(false)).toBe(false)
})

test('asking for a link sends the same statements for a member, a member over the limit and an unknown address', async () => {
  const [member, full] = [await makeOrganization(), await makeOrganization()]
  for (let asked = 0; asked < 5; asked++) await ask(full.email)
  await askForSignIn(linkRequestContext({ requestId: 'sign-in' }), { email: `${newId()}@example.com` }) // opens the connections
  const asked = (email: string) =>
    statementsOf(() => askForSignIn(linkRequestContext({ requestId: 'sign-in' }), { email }))
  const unknown = await asked(`${newId()}@example.com`)
  expect(unknown.length).toBeGreaterThan(0)
  expect(await asked(member.email)).toEqual(unknown)
  expect(await asked(full.email)).toEqual(unknown)
  expect(await mailsTo(member.email)).toEqual([])
  await drainJobs()
  expect(await mailsTo(member.email)).toHaveLength(1)
  expect(await mailsTo(full.email)).toHaveLength(5)
})

test('next-auth’s own request for a link sends the same statements, gives the same answer and stores no token', async () => {
  const { email } = await makeOrganization()
  const unknown = `${newId()}@example.com`
  const { body, cookies } = await nextAuth({ path: ['csrf'], method: 'GET' })
  const { csrfToken } = body as { csrfToken: string }
  const signin = (address: string) =>
    nextAuth({ path: ['signin', 'email'], method: 'POST', body: { csrfToken, email: address }, cookies })
  await signin(`${newId()}@example.com`)

  const answers: unknown[] = []
  const asked = (address: string) => statementsOf(async () => void answers.push((await signin(address)).location))
  expect(await asked(email)).toEqual(await asked(unknown))
  expect(answers[0]).toBe(answers[1])
  expect(answers[0]).toMatch(/verify-request/)
  expect(await systemClient().verificationToken.count({ where: { identifier: { in: [email, unknown] } } })).toBe(0)
  await drainJobs()
  expect([(await mailsTo(email)).length, (await mailsTo(unknown)).length]).toEqual([1, 0])
})

test('opening a link of an earlier version leaves its token valid and shows the button, which uses it up', async () => {
  const { email, userId } = await makeOrganization()
  const link = new URL(await createSignInLink(email))
  const earlier = new NextRequest(`${env.ORIGIN}/api/auth/callback/email${link.search}`)
  const opened = await GET(earlier, { params: Promise.resolve({ nextauth: ['callback', 'email'] }) })
  expect([opened.status, opened.headers.get('location')]).toEqual([302, link.href])
  expect(opened.headers.getSetCookie()).toEqual([])
  expect(await systemClient().verificationToken.count({ where: { identifier: email } })).toBe(1)
  expect(await systemClient().session.count({ where: { userId } })).toBe(0)

  expect(await press(link)).not.toBeNull()
  expect(await press(link)).toBeNull()
})

test('another site’s form can’t press the button', async () => {
  const { email, userId } = await makeOrganization()
  const link = new URL(await createSignInLink(email))
  const url = `${env.ORIGIN}/api/auth/callback/email${link.search}`
  const route = { params: Promise.resolve({ nextauth: ['callback', 'email'] }) }
  const foreign: Record<string, string>[] = [{ origin: 'https://attacker.example' }, { origin: 'null' }, {}]
  for (const headers of foreign) {
    const response = await POST(new NextRequest(url, { method: 'POST', headers }), route)
    expect(response.status).toBe(403)
  }
  expect(await systemClient().session.count({ where: { userId } })).toBe(0)
  expect(await press(link)).not.toBeNull()
})

test('a link opens pages of the dashboard only', async () => {
  const { email } = await makeOrganization()
  const opened = async (returnTo: string) =>
    new URL(await createSignInLink(email, { returnTo })).searchParams.get('callbackUrl')
  expect(await opened('/dashboard/members?x=1')).toBe(`${env.ORIGIN}/dashboard/members?x=1`)
  for (const path of ['//attacker.example', '@attacker.example', '.attacker.example/', '/dashboard.attacker.example'])
    expect(await opened(path)).toBe(`${env.ORIGIN}/dashboard`)
})

test('signing in again ends the session of that browser and no other', async () => {
  const { email } = await makeOrganization()
  const signIn = async (replaces?: string) => (await press(new URL(await createSignInLink(email)), replaces))!
  const [phone, desk] = [await signIn(), await signIn()]
  const again = await signIn(desk)
  expect(await memberContext(desk, caller)).toBeNull()
  expect(await memberContext(phone, caller)).not.toBeNull()
  expect(await memberContext(again, caller)).not.toBeNull()
})

test('a session that isn’t used ends after 30 days', async () => {
  const { email } = await makeOrganization()
  const token = (await press(new URL(await createSignInLink(email))))!
  const { expires } = await systemClient().session.findUniqueOrThrow({ where: { tokenHash: sessionHash(token) } })
  expect(Math.round((expires.getTime() - now().getTime()) / (DAY * 1000))).toBe(30)
  moveClock(expires.getTime() - now().getTime())
  expect(await memberContext(token, caller)).toBeNull()
})

test('expired tokens and sessions are deleted, others stay', async () => {
  const { email, userId } = await makeOrganization()
  const session = (days: number) => makeSession(userId, { expires: secondsFrom(now(), days * DAY) })
  await createSignInLink(email, { lifetimeSeconds: HOUR })
  await createSignInLink(email, { lifetimeSeconds: 3 * DAY })
  await session(1)
  const longer = await session(3)
  moveClock(2 * DAY * 1000)
  await deleteOldRows(systemContext())
  expect(await systemClient().verificationToken.count({ where: { identifier: email } })).toBe(1)
  expect(await systemClient().session.findMany({ where: { userId }, select: { tokenHash: true } })).toEqual([
    { tokenHash: sessionHash(longer) },
  ])
})

test('a member sees and ends their own sessions and nobody else’s, and the log says so', async () => {
  const [mine, other] = [await makeOrganization(), await makeOrganization()]
  const signIn = async (email: string) => {
    const token = (await press(new URL(await createSignInLink(email))))!
    return { token, ctx: (await memberContext(token, caller))! }
  }
  const [first, second, third] = [await signIn(mine.email), await signIn(mine.email), await signIn(mine.email)]
  const theirs = await signIn(other.email)
  const left = await makeOrganization()
  await systemClient().member.create({
    data: {
      id: newId(),
      organizationId: left.id,
      userId: mine.userId,
      role: 'VIEWER',
      joinedAt: now(),
      removedAt: now(),
    },
  })
  await makeSession(mine.userId, { expires: new Date(now().getTime() - 1) })
  const shown = await listSessions(first.ctx)
  expect(shown.map(({ isCurrent }) => isCurrent).sort()).toEqual([false, false, true])
  expect(shown[0]).toMatchObject({ clientAddress: '192.0.2.7', userAgent: 'A browser' })
  expect(JSON.stringify(shown)).not.toContain(second.token)

  const idOf = ({ actor }: Context) => (actor.type === 'member' ? actor.session.id : '')
  await endOwnSession(first.ctx, idOf(theirs.ctx))
  expect(await memberContext(theirs.token, caller)).not.toBeNull()
  await endOwnSession(first.ctx, idOf(second.ctx))
  expect(await memberContext(second.token, caller)).toBeNull()
  await endOtherSessions(first.ctx)
  expect(await memberContext(third.token, caller)).toBeNull()
  expect(await memberContext(first.token, caller)).not.toBeNull()
  expect(await memberContext(theirs.token, caller)).not.toBeNull()

  const logged = await systemClient().auditEntry.findMany({
    where: { organizationId: mine.id, subjectType: 'session' },
    orderBy: { createdAt: 'asc' },
  })
  expect(logged.map(({ action, actorId, subjectId }) => [action, actorId, subjectId])).toEqual([
    ['session.ended', mine.memberId, idOf(second.ctx)],
    ['session.others_ended', mine.memberId, idOf(first.ctx)],
  ])
  for (const { id: organizationId } of [other, left])
    expect(await systemClient().auditEntry.count({ where: { organizationId } })).toBe(0)
})

test('what the database holds of a session signs nobody in', async () => {
  const { email, userId } = await makeOrganization()
  const token = (await press(new URL(await createSignInLink(email))))!
  const [row] = await systemClient().session.findMany({ where: { userId } })
  const stored = [
    JSON.stringify(row),
    ...(['hex', 'base64', 'base64url'] as const).map((as) => Buffer.from(row!.tokenHash).toString(as)),
  ]
  expect(stored.join()).not.toContain(token)
  for (const text of stored) expect(await memberContext(text, caller)).toBeNull()
  expect(await memberContext(token, caller)).not.toBeNull()
})

test('whoever was signed in before tokens were hashed stays so, and who signs in with an old process too', async () => {
  const migration = new URL(
    '../../prisma/migrations/20261123100011_session_token_hashes/migration.sql',
    import.meta.url,
  )
  const database = new pg.Client({ connectionString: process.env.MIGRATE_DATABASE_URL })
  await database.connect()
  const [token, later] = [newId(), newId()]
  await database.query('BEGIN')
  await database.query('CREATE TEMPORARY TABLE sessions (session_token text NOT NULL UNIQUE)')
  await database.query('INSERT INTO sessions VALUES ($1)', [token])
  await database.query(readFileSync(migration, 'utf8'))
  const { rows } = await database.query('SELECT * FROM sessions')
  expect(rows).toEqual([{ session_token: null, token_hash: Buffer.from(sessionHash(token)) }])
  await database.query('INSERT INTO sessions VALUES ($1)', [later])
  const { rows: hashed } = await database.query('SELECT 1 FROM sessions WHERE token_hash = $1', [sessionHash(later)])
  expect(hashed).toHaveLength(1)
  await database.query('ROLLBACK')
  await database.end()
})
