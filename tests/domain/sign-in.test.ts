import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { endSession, isMember, createSignInLink, signInContext, signInSecret } from '../../lib/platform/auth/sign-in.ts'
import { memberContext } from '../../lib/platform/auth/authenticate.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { sendSignIn } from '../../lib/members/send-sign-in.ts'
import { makeOrganization } from '../support/organization.ts'

const mailsTo = (toEmail: string) => systemClient().outboxMessage.findMany({ where: { toEmail } })

test('a member who asks gets one mail, of no organization; a stranger gets none', async () => {
  const { email } = await makeOrganization()
  await sendSignIn(signInContext(), { email })
  expect(await mailsTo(email)).toMatchObject([{ templateType: 'SIGN_IN', organizationId: null, state: 'PENDING' }])

  const stranger = `${newId()}@example.com`
  await sendSignIn(signInContext(), { email: stranger })
  expect(await mailsTo(stranger)).toEqual([])
  expect(await systemClient().verificationToken.count({ where: { identifier: stranger } })).toBe(0)
  expect(await isMember(stranger)).toBe(false)
})

test('of a sign-in link only a hash is kept', async () => {
  const { email } = await makeOrganization()
  const link = new URL(await createSignInLink(email.toUpperCase()))
  const token = link.searchParams.get('token')!
  expect(link.searchParams.get('email')).toBe(email)
  const [kept] = await systemClient().verificationToken.findMany({ where: { identifier: email } })
  expect(JSON.stringify(kept)).not.toContain(token)
  expect(kept!.token).toBe(
    createHash('sha256')
      .update(token + signInSecret())
      .digest('hex'),
  )
})

test('a session opens its organization until it is ended or over', async () => {
  const { id, userId } = await makeOrganization({ role: 'VIEWER' })
  const caller = { requestId: 'test', clientAddress: '127.0.0.1' }
  const open = async (expires: Date) => {
    const sessionToken = newId()
    await systemClient().session.create({ data: { sessionToken, userId, expires } })
    return sessionToken
  }
  const running = await open(new Date(Date.now() + 60_000))
  const ctx = await memberContext(running, caller)
  expect(ctx).toMatchObject({ organizationId: id, actor: { type: 'member' } })
  expect(
    ctx?.actor.type === 'member' && ctx.actor.permissions.every((permission) => permission.endsWith(':read')),
  ).toBe(true)

  expect(await memberContext(await open(new Date(Date.now() - 1)), caller)).toBeNull()
  await endSession(running)
  expect(await memberContext(running, caller)).toBeNull()
})
