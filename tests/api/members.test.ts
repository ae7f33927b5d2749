import { beforeEach, describe, expect, test } from 'vitest'
import { findVisit, memberContext } from '../../lib/platform/auth/authenticate.ts'
import { ORGANIZATION_COOKIE } from '../../lib/platform/auth/cookies.ts'
import type { Context } from '../../lib/platform/auth/context.ts'
import { isMember } from '../../lib/platform/auth/sign-in.ts'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { env } from '../../lib/core/env.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { updateMember } from '../../lib/members/update-member.ts'
import type { Role } from '../../lib/platform/api/permissions.ts'
import { call, callerOf, code } from '../support/call.ts'
import { startMailbox } from '../support/mailbox.ts'
import { makeKey, makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeSession } from '../support/sessions.ts'

let mine: TestOrganization
let api: ReturnType<typeof callerOf>
const mailbox = await startMailbox()

beforeEach(async () => {
  resetClock()
  mine = await makeOrganization({ name: 'The River Society' })
  api = callerOf((await makeKey(mine, { mode: 'LIVE' })).key)
})

const someone = () => `${newId()}@example.com`
const caller = { requestId: 'test', clientAddress: '127.0.0.1' }

async function userOf(email: string): Promise<string> {
  const user = await systemClient().user.findUniqueOrThrow({ where: { email } })
  return user.id
}

const openSession = async (email: string): Promise<string> => makeSession(await userOf(email))

/** A joined member with this role, with a key and a session. */
async function join(role: Role): Promise<{
  id: string
  email: string
  api: ReturnType<typeof callerOf>
  key: string
  ctx: Context
  session: string
}> {
  const email = someone()
  const { body } = await api.post('/v1/members', { email, role })
  const session = await openSession(email)
  const ctx = (await memberContext(session, caller, mine.id))!
  const { key } = await makeKey({ id: mine.id, memberId: body.id }, { mode: 'LIVE' })
  return { id: body.id, email, api: callerOf(key), key, ctx, session }
}

describe('invitations', () => {
  test('an invitation is mailed with a link, and the first sign-in makes the member ACTIVE', async () => {
    const email = someone()
    const made = await api.post('/v1/members', { email: email.toUpperCase(), role: 'EDITOR' })
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      id: expect.any(String),
      email,
      name: null,
      role: 'EDITOR',
      status: 'INVITED',
      invited_by_id: mine.memberId,
      invited_at: expect.any(String),
      joined_at: null,
      created_at: expect.any(String),
    })
    expect(await isMember(email)).toBe(true)

    await mailbox.deliver(email)
    const [mail] = mailbox.mailsTo(email)
    expect(mail!.subject).toContain('The River Society')
    expect(mail!.text).toContain('editor')
    const link = new URL(/https?:\/\/\S+\/sign-in\/confirm\S+/.exec(mail!.text!)![0])
    expect([link.searchParams.get('email'), link.searchParams.get('organization')]).toEqual([email, mine.id])
    const [token] = await systemClient().verificationToken.findMany({ where: { identifier: email } })
    expect(Math.round((token!.expires.getTime() - Date.now()) / 86_400_000)).toBe(7)

    const ctx = await memberContext(await openSession(email), caller, mine.id)
    expect(ctx).toMatchObject({ organizationId: mine.id, actor: { type: 'member', id: made.body.id } })
    expect((await api.get(`/v1/members/${made.body.id}`)).body).toMatchObject({
      status: 'ACTIVE',
      joined_at: expect.any(String),
    })
    const entries = await mine.ctx.db.auditEntry.findMany({
      where: { subjectId: made.body.id },
      orderBy: { id: 'asc' },
    })
    expect(entries.map(({ action }) => action)).toEqual(['member.invited', 'member.joined'])
    expect(JSON.stringify(entries)).not.toContain(link.searchParams.get('token'))
  })

  test('members are listed, and filtered by role, status and email', async () => {
    const email = someone()
    await api.post('/v1/members', { email, role: 'VIEWER' })
    const emails = async (query: string) =>
      (await api.get(`/v1/members?${query}`)).body.results.map((member: { email: string }) => member.email)
    expect(await emails('')).toEqual([email, mine.email])
    expect(await emails('role=OWNER')).toEqual([mine.email])
    expect(await emails('status=INVITED')).toEqual([email])
    expect(await emails('status=ACTIVE')).toEqual([mine.email])
    expect(await emails(`email=${email}`)).toEqual([email])
    expect(await emails(`email=${someone()}`)).toEqual([])
    expect((await api.get('/v1/members?limit=1')).body).toMatchObject({ has_more: true, total_results: 2 })
  })

  test('a member cannot be invited, and six simultaneous invitations of one email make one', async () => {
    expect(code(await api.post('/v1/members', { email: mine.email, role: 'VIEWER' }))).toEqual([409, 'member_exists'])
    const email = someone()
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => api.post('/v1/members', { email, role: 'VIEWER' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409])
    expect(await systemClient().outboxMessage.count({ where: { toEmail: email } })).toBe(1)
  })

  test('an invalid email and an invalid role are both named', async () => {
    const refused = await api.post('/v1/members', { email: 'nobody', role: 'BOSS' })
    expect([...code(refused), refused.body.errors.map(({ field }: { field: string }) => field)]).toEqual([
      400,
      'invalid_request',
      ['email', 'role'],
    ])
  })

  test('an invitation can be resent after a minute, until it is accepted', async () => {
    const email = someone()
    const { id } = (await api.post('/v1/members', { email, role: 'VIEWER' })).body
    const again = await api.post(`/v1/members/${id}/resend-invitation`)
    expect([...code(again), again.headers.get('retry-after')]).toEqual([429, 'rate_limited', '60'])
    moveClock(61_000)
    expect((await api.post(`/v1/members/${id}/resend-invitation`)).body).toMatchObject({ id, status: 'INVITED' })
    expect(await systemClient().outboxMessage.count({ where: { toEmail: email, templateType: 'MEMBER_INVITE' } })).toBe(
      2,
    )
    await memberContext(await openSession(email), caller)
    moveClock(61_000)
    expect(code(await api.post(`/v1/members/${id}/resend-invitation`))).toEqual([409, 'member_exists'])
  })
})

describe('member roles', () => {
  test('a changed role changes what the member’s keys may do', async () => {
    const editor = await join('EDITOR')
    expect((await editor.api.post('/v1/collections', { name: newId() })).status).toBe(201)
    expect((await api.patch(`/v1/members/${editor.id}`, { role: 'VIEWER' })).body).toMatchObject({
      id: editor.id,
      role: 'VIEWER',
    })
    expect(code(await editor.api.post('/v1/collections', { name: newId() }))).toEqual([403, 'forbidden'])
    const [entry] = await mine.ctx.db.auditEntry.findMany({ where: { subjectId: editor.id, action: 'member.updated' } })
    expect(entry).toMatchObject({ before: { role: 'EDITOR' }, after: { role: 'VIEWER' } })
  })

  test('a member cannot give a role above their own, nor change a member who has one', async () => {
    const admin = await join('ADMIN')
    const owner = await join('OWNER')
    const refused = [
      await admin.api.post('/v1/members', { email: someone(), role: 'OWNER' }),
      await admin.api.patch(`/v1/members/${owner.id}`, { role: 'VIEWER' }),
      await admin.api.patch(`/v1/members/${admin.id}`, { role: 'OWNER' }),
      await admin.api.delete(`/v1/members/${owner.id}`),
    ]
    expect(refused.map(code)).toEqual(Array.from({ length: 4 }, () => [403, 'role_beyond_own']))
    const other = (await admin.api.post('/v1/members', { email: someone(), role: 'ADMIN' })).body
    expect((await admin.api.patch(`/v1/members/${other.id}`, { role: 'EDITOR' })).body.role).toBe('EDITOR')
    const invitedOwner = (await owner.api.post('/v1/members', { email: someone(), role: 'OWNER' })).body
    expect(code(await admin.api.post(`/v1/members/${invitedOwner.id}/resend-invitation`))).toEqual([
      403,
      'role_beyond_own',
    ])
  })

  test('an editor can list members but not invite or remove them', async () => {
    const editor = await join('EDITOR')
    expect((await editor.api.get('/v1/members')).status).toBe(200)
    for (const answer of [
      await editor.api.post('/v1/members', { email: someone(), role: 'VIEWER' }),
      await editor.api.delete(`/v1/members/${mine.memberId}`),
    ])
      expect(code(answer)).toEqual([403, 'forbidden'])
  })

  test('the last joined owner cannot be demoted or removed; invited owners do not count', async () => {
    await api.post('/v1/members', { email: someone(), role: 'OWNER' })
    expect(code(await api.patch(`/v1/members/${mine.memberId}`, { role: 'ADMIN' }))).toEqual([409, 'last_owner'])
    expect(code(await api.delete(`/v1/members/${mine.memberId}`))).toEqual([409, 'last_owner'])
    const owner = await join('OWNER')
    expect((await api.patch(`/v1/members/${mine.memberId}`, { role: 'ADMIN' })).body.role).toBe('ADMIN')
    expect(code(await owner.api.delete(`/v1/members/${owner.id}`))).toEqual([409, 'last_owner'])
  })

  test('owners who demote each other simultaneously leave one owner', async () => {
    const others = await Promise.all([join('OWNER'), join('OWNER'), join('OWNER')])
    const contexts = [...others.map(({ ctx }) => ctx)]
    const targets = [others[1]!.id, others[2]!.id, others[0]!.id, mine.memberId]
    await Promise.allSettled(contexts.flatMap((ctx) => targets.map((id) => updateMember(ctx, id, { role: 'VIEWER' }))))
    const owners = await mine.ctx.db.member.count({ where: { role: 'OWNER' } })
    expect(owners).toBe(1)
  })
})

describe('leaving an organization', () => {
  test('a removed member’s keys, sessions and sign-in stop working at once', async () => {
    const editor = await join('EDITOR')
    expect((await editor.api.get('/v1/me')).status).toBe(200)
    expect((await api.delete(`/v1/members/${editor.id}`)).status).toBe(204)
    expect(code(await editor.api.get('/v1/me'))).toEqual([401, 'unauthenticated'])
    expect(await memberContext(editor.session, caller, mine.id)).toBeNull()
    expect(await isMember(editor.email)).toBe(false)
    expect(code(await api.get(`/v1/members/${editor.id}`))).toEqual([404, 'not_found'])
    expect(code(await api.delete(`/v1/members/${editor.id}`))).toEqual([404, 'not_found'])
    expect(code(await api.patch(`/v1/members/${editor.id}`, { role: 'VIEWER' }))).toEqual([404, 'not_found'])
    expect((await api.get('/v1/members')).body.total_results).toBe(1)
  })

  test('a removed member invited again keeps their id and joins by signing in; old keys stay invalid', async () => {
    const editor = await join('EDITOR')
    await api.delete(`/v1/members/${editor.id}`)
    const again = await api.post('/v1/members', { email: editor.email, role: 'VIEWER' })
    expect(again.body).toMatchObject({ id: editor.id, role: 'VIEWER', status: 'INVITED', joined_at: null })
    expect(code(await editor.api.get('/v1/me'))).toEqual([401, 'unauthenticated'])
    expect(await memberContext(editor.session, caller)).toMatchObject({
      organizationId: mine.id,
      actor: { id: editor.id },
    })
  })

  test('a member can leave with a session but not with a key; the last owner cannot leave', async () => {
    const viewer = await join('VIEWER')
    const withSession = (session: string) =>
      call('DELETE', '/v1/me', {
        headers: {
          cookie: `next-auth.session-token=${session}; ${ORGANIZATION_COOKIE}=${mine.id}`,
          origin: env.ORIGIN,
        },
      })
    expect(code(await callerOf(viewer.key).delete('/v1/me'))).toEqual([403, 'forbidden'])
    expect((await withSession(viewer.session)).status).toBe(204)
    expect((await withSession(viewer.session)).status).toBe(401)
    const [entry] = await mine.ctx.db.auditEntry.findMany({ where: { subjectId: viewer.id, action: 'member.left' } })
    expect(entry).toMatchObject({ actorId: viewer.id })
    expect(code(await withSession(await openSession(mine.email)))).toEqual([409, 'last_owner'])
  })
})

describe('members of several organizations', () => {
  test('a session opens the chosen organization if its user is a member, else the one joined first', async () => {
    const other = await makeOrganization({ name: 'The Hill Society' })
    const { id } = (await callerOf(other.key).post('/v1/members', { email: mine.email, role: 'VIEWER' })).body
    const session = await openSession(mine.email)
    const unrelated = await makeOrganization()
    const opened = async (chosen?: string) => (await memberContext(session, caller, chosen))?.organizationId
    expect([await opened(), await opened(unrelated.id), await opened('nonsense')]).toEqual([mine.id, mine.id, mine.id])
    expect((await callerOf(other.key).get(`/v1/members/${id}`)).body.status).toBe('INVITED')
    expect(await opened(other.id)).toBe(other.id)
    expect((await callerOf(other.key).get(`/v1/members/${id}`)).body.status).toBe('ACTIVE')
    expect((await findVisit(session, caller))!.memberships).toMatchObject([
      { organizationId: mine.id, name: 'The River Society', role: 'OWNER' },
      { organizationId: other.id, name: 'The Hill Society', role: 'VIEWER' },
    ])
    await callerOf(other.key).delete(`/v1/members/${id}`)
    expect([await opened(other.id), await opened()]).toEqual([mine.id, mine.id])
  })

  test('the organization cookie applies to operations called with a session', async () => {
    const other = await makeOrganization()
    await callerOf(other.key).post('/v1/members', { email: mine.email, role: 'VIEWER' })
    const session = await openSession(mine.email)
    const me = (chosen: string) =>
      call('GET', '/v1/me', {
        headers: { cookie: `next-auth.session-token=${session}; ${ORGANIZATION_COOKIE}=${chosen}`, origin: env.ORIGIN },
      })
    expect((await me(other.id)).body).toMatchObject({ organization: { id: other.id }, user: { role: 'VIEWER' } })
    expect((await me(mine.id)).body).toMatchObject({ organization: { id: mine.id }, user: { role: 'OWNER' } })
  })
})
