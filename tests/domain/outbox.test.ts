import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { sendPin } from '../../lib/giving/send-pin.ts'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { smtpMail } from '../../lib/ports/mail/smtp.ts'
import { sendOutboxMail, wipeOldMail } from '../../lib/messaging/outbox/send-mail.ts'
import { writeMail } from '../../lib/messaging/outbox/write-mail.ts'
import { installFakeChain, sendClaim } from '../support/claims.ts'
import { startMailbox, type Mailbox } from '../support/mailbox.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

let mailbox: Mailbox
let organization: TestOrganization

beforeAll(async () => {
  mailbox = await startMailbox()
  installFakeChain()
  organization = await makeOrganization({ name: 'Ann "Quote" <b>' })
})
beforeEach(resetClock)
afterEach(() => {
  resetClock()
  mailbox.refuse(null)
})

const signIn = (to: string) => ({
  templateType: 'SIGN_IN' as const,
  to,
  variables: { sign_in_url: 'https://vitrine.example/secret-link', origin_host: 'vitrine.example', minutes: '60' },
})
const rowOf = (to: string) =>
  systemClient().outboxMessage.findFirstOrThrow({ where: { toEmail: to }, orderBy: { id: 'asc' } })
const makeEmail = () => `${newId()}@example.com`

test('a mail exists and is due only if the transaction that wrote it commits', async () => {
  const [committed, rolledBack] = [makeEmail(), makeEmail()]
  const ctx = systemContext('test')
  await writeMail(ctx, signIn(committed))
  await inTransaction(ctx, async (tx) => {
    await writeMail(tx, signIn(rolledBack))
    throw new Error('The cause failed.')
  }).catch(() => undefined)
  expect(await rowOf(committed)).toMatchObject({ state: 'PENDING', nextAt: expect.any(Date) })
  expect(await systemClient().outboxMessage.count({ where: { toEmail: rolledBack } })).toBe(0)
})

test('a temporarily refused mail is sent later, once, with the same Message-ID', async () => {
  const { email } = await sendClaim(organization)
  const { messageId } = await rowOf(email)
  mailbox.refuse('Greylisted, come back later.')
  for (let i = 0; i < 3; i++) expect(await mailbox.deliver(email)).toEqual([expect.stringContaining('Greylisted')])
  expect(await rowOf(email)).toMatchObject({ state: 'PENDING', attempts: 3, lastError: expect.stringContaining('451') })
  mailbox.refuse(null)
  expect(await mailbox.deliver(email)).toEqual([])
  await mailbox.deliver(email)
  expect(mailbox.mailsTo(email).map((mail) => mail.messageId)).toEqual([messageId])
  expect(await rowOf(email)).toMatchObject({
    state: 'SENT',
    attempts: 4,
    variables: null,
    lastError: null,
    sentAt: expect.any(Date),
  })
})

test('an unreachable mail server leaves the mail to be retried', async () => {
  const to = makeEmail()
  const ctx = systemContext('test')
  const { id } = await writeMail(ctx, signIn(to))
  const unreachable = { ...ctx, ports: { ...ctx.ports, mail: smtpMail('smtp://127.0.0.1:1') } }
  await expect(sendOutboxMail(unreachable, id)).rejects.toThrow('can’t be reached')
  const unset = { ...ctx, ports: { ...ctx.ports, mail: smtpMail('') } }
  await expect(sendOutboxMail(unset, id)).rejects.toThrow('SMTP_URL is not set')
  await sendOutboxMail(systemContext('test'), id)
  expect(mailbox.mailsTo(to)).toHaveLength(1)
})

test('an address refused eight times is given up with an alarm', async () => {
  const { email } = await sendClaim(organization)
  mailbox.refuse('No such mailbox.', 550)
  for (let i = 0; i < 7; i++) expect(await mailbox.deliver(email)).toHaveLength(1)
  expect(await mailbox.deliver(email)).toEqual([])
  const { id, ...row } = await rowOf(email)
  expect(row).toMatchObject({
    state: 'FAILED',
    attempts: 8,
    variables: null,
    lastError: expect.stringContaining('550'),
  })
  expect(await systemClient().alarm.findFirst({ where: { kind: 'mail_failed', subject: id } })).toMatchObject({
    organizationId: organization.id,
  })
})

test('a mail’s variables are stored encrypted, and wiped once it expires unsent', async () => {
  const to = makeEmail()
  await writeMail(systemContext('test'), signIn(to))
  const { id, variables } = await rowOf(to)
  expect(Buffer.from(variables!).toString('latin1')).not.toContain('secret-link')
  moveClock(HOUR)
  await wipeOldMail(systemContext('test'))
  expect(await rowOf(to)).toMatchObject({ state: 'FAILED', variables: null })
  await sendOutboxMail(systemContext('test'), id)
  expect(mailbox.mailsTo(to)).toEqual([])
})

test('a mail that was never tried waits however long; it is given up three days after its first try', async () => {
  const soon = new Date(Date.now() + 20 * DAY)
  const [accepted, refused, triedBefore, lost] = [
    await sendClaim(organization, { expiration: soon }),
    await sendClaim(organization, { expiration: soon }),
    await sendClaim(organization, { expiration: soon }),
    await sendClaim(organization, { expiration: soon }),
  ]
  const wipe = () => wipeOldMail(systemContext('test'))
  // As release 0.1.0 leaves them: tried, and without a job.
  await systemClient().outboxMessage.updateMany({ where: { toEmail: triedBefore.email }, data: { attempts: 2 } })
  await systemClient().outboxMessage.updateMany({ where: { toEmail: lost.email }, data: { nextAt: null } })
  moveClock(5 * DAY)
  await wipe()
  for (const { email } of [triedBefore, lost])
    expect(await rowOf(email)).toMatchObject({ state: 'FAILED', variables: null })
  expect(await rowOf(accepted.email)).toMatchObject({ state: 'PENDING', attempts: 0 })
  await mailbox.deliver(accepted.email)
  expect(mailbox.mailsTo(accepted.email)).toHaveLength(1)

  mailbox.refuse('Daily limit reached.')
  expect(await mailbox.deliver(refused.email)).toHaveLength(1)
  moveClock(3 * DAY - HOUR)
  await wipe()
  expect(await mailbox.deliver(refused.email)).toHaveLength(1)
  expect(await rowOf(refused.email)).toMatchObject({ state: 'PENDING', attempts: 2 })
  moveClock(HOUR)
  await wipe()
  expect(await rowOf(refused.email)).toMatchObject({
    state: 'FAILED',
    variables: null,
    lastError: expect.stringContaining('Daily limit'),
  })
})

test('encrypted variables copied to another row can’t be decrypted', async () => {
  const [one, other] = [makeEmail(), makeEmail()]
  await writeMail(systemContext('test'), signIn(one))
  await writeMail(systemContext('test'), signIn(other))
  const { variables } = await rowOf(one)
  const { id } = await rowOf(other)
  await systemClient().outboxMessage.update({ where: { id }, data: { variables } })
  await expect(sendOutboxMail(systemContext('test'), id)).rejects.toThrow()
  expect(mailbox.mailsTo(other)).toEqual([])
})

test('an expired PIN is not mailed, and raises no alarm', async () => {
  const claim = await sendClaim(organization)
  await mailbox.deliver(claim.email)
  await sendPin(claim.ctx)
  moveClock(10 * 60_000)
  expect(await mailbox.deliver(claim.email)).toEqual([])
  expect(mailbox.mailsTo(claim.email)).toHaveLength(1)
  const row = await systemClient().outboxMessage.findFirstOrThrow({
    where: { claimId: claim.id, templateType: 'CLAIM_PINCODE' },
  })
  expect([row.state, row.variables]).toEqual(['DISCARDED', null])
  expect(await systemClient().alarm.count({ where: { subject: row.id } })).toBe(0)
})

test('names and titles can’t add headers or markup to a mail', async () => {
  const { email } = await sendClaim(organization, { title: 'One\r\nBcc: everyone@example.com' })
  await mailbox.deliver(email)
  const [mail] = mailbox.mailsTo(email)
  expect(mail!.recipients).toEqual([email])
  expect(mail!.from).toEqual({ address: 'hello@vitrine.localhost', name: 'Ann Quote b via Vitrine' })
  expect(mail!.subject).toContain('One Bcc: everyone@example.com')
  expect(mail!.headers.filter(({ key }) => key === 'bcc')).toEqual([])
  expect(mail!.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }))
  expect(mail!.html).not.toContain('<b>')
})
