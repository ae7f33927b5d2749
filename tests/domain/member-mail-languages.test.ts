import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { MINUTE, moveClock, resetClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { recordPasskeyChange } from '../../lib/members/record-passkey-change.ts'
import { sendSignIn } from '../../lib/members/send-sign-in.ts'
import { mailAlarms } from '../../lib/messaging/alarms/mail-alarms.ts'
import { tellAlarms } from '../../lib/messaging/alarms/tell-alarms.ts'
import { onProtectedChange } from '../../lib/messaging/on-protected-change.ts'
import { disableWebhook } from '../../lib/messaging/webhooks/disable-webhook.ts'
import { SESSION_COOKIE } from '../../lib/platform/auth/cookies.ts'
import { memberContext, systemContext } from '../../lib/platform/auth/authenticate.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { personContext } from '../../lib/platform/auth/narrow-contexts.ts'
import { guardedPoster } from '../../lib/ports/egress/guarded-poster.ts'
import { replacePorts } from '../../lib/ports/ports.ts'
import { raiseAlarm } from '../../lib/records/alarms/raise-alarm.ts'
import { call, callerOf } from '../support/call.ts'
import { type Mailbox, startMailbox } from '../support/mailbox.ts'
import { makeKey, makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeSession } from '../support/sessions.ts'
import { makeWebhook } from '../support/webhooks.ts'

const caller = { requestId: 'test', clientAddress: '192.0.2.1' }
let mailbox: Mailbox
/** A French organization with an owner who chose German and one who chose nothing. */
let mine: TestOrganization
let other: string
beforeAll(async () => {
  mailbox = await startMailbox()
  replacePorts({ poster: guardedPoster(['127.0.0.1/32']) })
})
beforeEach(async () => {
  resetClock()
  mine = await makeOrganization({ name: 'Museum' })
  await mine.ctx.db.organization.update({ where: { id: mine.id }, data: { locale: 'fr' } })
  await systemClient().user.update({ where: { id: mine.userId }, data: { locale: 'de' } })
  other = `${newId()}@example.com`
  const { id: userId } = await systemClient().user.create({ data: { email: other } })
  await systemClient().member.create({
    data: { id: newId(), organizationId: mine.id, userId, role: 'OWNER', joinedAt: new Date() },
  })
})
afterEach(resetClock)

async function newestTo(email: string) {
  await mailbox.deliver(email)
  return mailbox.mailsTo(email).at(-1)!
}
const signedIn = async () => (await memberContext(await makeSession(mine.userId), caller))!
const choose = async (locale: string | null, session?: string) =>
  call('PUT', '/v1/me/locale', {
    body: { locale },
    ...(session
      ? { headers: { cookie: `${SESSION_COOKIE}=${session}`, 'sec-fetch-site': 'same-origin' } }
      : { key: mine.key }),
  })

test('a protected change is mailed to each owner in their own language, else in the organization’s', async () => {
  await inTransaction(await signedIn(), (tx) => onProtectedChange(tx, { what: 'liveKeyMade', name: 'Shop {{1}}' }))
  const german = await newestTo(mine.email)
  expect(german.subject).toBe('Eine geschützte Änderung bei Museum')
  expect(german.text).toContain('Der LIVE-API-Schlüssel „Shop {{1}}“ wurde erstellt.')
  expect(german.html).toContain('<html lang="de"')
  const french = await newestTo(other)
  expect(french.subject).toBe('Une modification protégée dans Museum')
  expect(french.text).toContain('La clé d’API LIVE')
})

test('notices to owners leave as one mail for each of them, in their language', async () => {
  await systemClient().alarm.deleteMany()
  await systemClient().alarmNotice.deleteMany()
  for (const kind of ['refund_stuck', 'mail_failed'] as const) await raiseAlarm(mine.ctx, kind, newId(), 'It says no.')
  moveClock(2 * MINUTE * 1000)
  const operator = { email: `${newId()}@operator.example`, locale: 'nl' as const, webhookUrl: '', webhookSecret: '' }
  await tellAlarms(systemContext('test'), operator)
  await mailAlarms(systemContext('test'), operator)
  const german = await newestTo(mine.email)
  expect(german.subject).toBe('2 neue Alarme')
  expect(german.text).toContain('Eine Erstattung geht nicht durch.')
  expect(german.text).toContain('„It says no.“')
  expect((await newestTo(other)).subject).toBe('2 nouvelles alarmes')
  expect((await newestTo(operator.email)).subject).toBe('2 nieuwe alarmen')
  for (const to of [mine.email, other, operator.email]) expect(mailbox.mailsTo(to)).toHaveLength(1)
})

test('a webhook that was disabled is mailed in each reader’s language, and shown in English', async () => {
  const { id, row } = await makeWebhook(mine)
  const webhook = await row()
  await inTransaction(mine.ctx, (tx) => disableWebhook(tx, webhook, { why: 'gone' }))
  expect((await newestTo(mine.email)).text).toContain('Sein Empfänger hat mit 410 Gone geantwortet.')
  expect((await newestTo(other)).text).toContain('Son destinataire a répondu 410 Gone.')
  expect((await callerOf(mine.key).get(`/v1/webhooks/${id}`)).body.disabled_reason).toBe(
    'Its receiver answered 410 Gone.',
  )
})

test('a sign-in link follows the person’s language, else the browser’s, else the organization’s', async () => {
  await sendSignIn(systemContext('sign-in'), { email: mine.email, locale: 'ja' })
  expect((await newestTo(mine.email)).subject).toBe('Bei Vitrine anmelden')
  await sendSignIn(systemContext('sign-in'), { email: other, locale: 'ja' })
  expect((await newestTo(other)).subject).toBe('Vitrineにサインイン')
  await sendSignIn(systemContext('sign-in'), { email: other })
  expect((await newestTo(other)).subject).toBe('Se connecter à Vitrine')
})

test('an invitation and its role are in the language of whoever is invited, else in the organization’s', async () => {
  const { key } = await makeKey(mine, { mode: 'LIVE' })
  const [known, unknown] = [`${newId()}@example.com`, `${newId()}@example.com`]
  await systemClient().user.create({ data: { email: known, locale: 'ar' } })
  for (const email of [known, unknown]) await callerOf(key).post('/v1/members', { email, role: 'EDITOR' })
  const arabic = await newestTo(known)
  expect(arabic.html).toContain('dir="rtl"')
  expect(arabic.text).toContain('محرر')
  expect((await newestTo(unknown)).text).toContain('avec le rôle éditeur')
})

test('a change of passkeys is mailed in the person’s language', async () => {
  const ctx = personContext(await signedIn())
  await inTransaction(ctx, (tx) => recordPasskeyChange(tx, { action: 'passkey.removed', id: newId(), name: 'Handy' }))
  expect((await newestTo(mine.email)).text).toContain('Der Passkey „Handy“ wurde entfernt.')
})

test('a person chooses their language with a session, and not with a key', async () => {
  const session = await makeSession(mine.userId)
  expect((await choose('pt', session)).status).toBe(204)
  expect((await callerOf(mine.key).get('/v1/me')).body.user.locale).toBe('pt-BR')
  expect(await mine.ctx.db.auditEntry.findMany({ where: { action: 'member.locale_chosen' } })).toMatchObject([
    { subjectId: mine.memberId, before: { locale: 'de' }, after: { locale: 'pt-BR' } },
  ])
  expect((await choose('pt', session)).status).toBe(204)
  expect(await mine.ctx.db.auditEntry.count({ where: { action: 'member.locale_chosen' } })).toBe(1)
  expect((await choose('xx', session)).body).toMatchObject({ code: 'invalid_request', errors: [{ field: 'locale' }] })
  expect((await choose(null, session)).status).toBe(204)
  expect((await callerOf(mine.key).get('/v1/me')).body.user.locale).toBeNull()
  expect((await choose('de')).body.code).toBe('forbidden')
})
