import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { endSession, isMember, createSignInLink, signInSecret } from '../../lib/platform/auth/sign-in.ts'
import { findOrCreatePerson } from '../../lib/platform/auth/person.ts'
import { memberContext, systemContext } from '../../lib/platform/auth/authenticate.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { sendSignIn } from '../../lib/members/send-sign-in.ts'
import { makeOrganization } from '../support/organization.ts'
import { makeSession } from '../support/sessions.ts'

const mailsTo = (toEmail: string) => systemClient().outboxMessage.findMany({ where: { toEmail } })

test('a member gets one sign-in mail, of no organization; an unknown address gets none', async () => {
  const { email } = await makeOrganization()
  await sendSignIn(systemContext('sign-in'), { email })
  expect(await mailsTo(email)).toMatchObject([{ templateType: 'SIGN_IN', organizationId: null, state: 'PENDING' }])

  const unknown = `${newId()}@example.com`
  await sendSignIn(systemContext('sign-in'), { email: unknown })
  expect(await mailsTo(unknown)).toEqual([])
  expect(await systemClient().verificationToken.count({ where: { identifier: unknown } })).toBe(0)
  expect(await isMember(unknown)).toBe(false)
})

test('whoever was removed from their only organization gets no sign-in mail', async () => {
  const { email, memberId } = await makeOrganization()
  await systemClient().member.update({ where: { id: memberId }, data: { removedAt: new Date() } })
  await sendSignIn(systemContext('sign-in'), { email })
  expect(await mailsTo(email)).toEqual([])
  expect(await isMember(email)).toBe(false)
})

test('only a hash of a sign-in token is stored', async () => {
  const { email } = await makeOrganization()
  const link = new URL(await createSignInLink(email.toUpperCase()))
  const token = link.searchParams.get('token')!
  expect(token).toMatch(/^[0-9a-f]{64}$/)
  expect(link.searchParams.get('email')).toBe(email)
  const [stored] = await systemClient().verificationToken.findMany({ where: { identifier: email } })
  expect(JSON.stringify(stored)).not.toContain(token)
  expect(stored!.token).toBe(
    createHash('sha256')
      .update(token + signInSecret())
      .digest('hex'),
  )
})

test('a session gives access to its organization until it is ended or expires', async () => {
  const { id, userId } = await makeOrganization({ role: 'VIEWER' })
  const caller = { requestId: 'test', clientAddress: '127.0.0.1' }
  const running = await makeSession(userId)
  const ctx = await memberContext(running, caller)
  expect(ctx).toMatchObject({ organizationId: id, actor: { type: 'member' } })
  expect(
    ctx?.actor.type === 'member' && ctx.actor.permissions.every((permission) => permission.endsWith(':read')),
  ).toBe(true)

  expect(await memberContext(await makeSession(userId, { expires: new Date(Date.now() - 1) }), caller)).toBeNull()
  await endSession(running)
  expect(await memberContext(running, caller)).toBeNull()
})

test('twenty simultaneous invitations of a new mailbox make one person', async () => {
  const email = `${newId()}@example.com`
  const ids = await Promise.all(Array.from({ length: 20 }, () => findOrCreatePerson(email)))
  expect(new Set(ids).size).toBe(1)
})
