import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { HOUR, MINUTE, now, secondsFrom } from '../../lib/core/clock.ts'
import { env } from '../../lib/core/env.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { memberContext } from '../../lib/platform/auth/authenticate.ts'
import { sessionHash } from '../../lib/platform/auth/create-session.ts'
import type { Role } from '../../lib/platform/api/permissions.ts'
import { oauthNames } from '../../lib/platform/auth/next-auth.ts'
import { refuseUpdates } from '../support/as-owner.ts'
import { call } from '../support/call.ts'
import { nextAuth } from '../support/next-auth.ts'
import { makeOrganization } from '../support/organization.ts'

type Account = { email: string; email_verified?: boolean; groups?: unknown }
/** The accounts at the provider, by their subject. */
const accounts = new Map<string, Account>()
/** Who signs in at the provider next. */
let subject = ''

const server = createServer()
const CALLBACK = `${env.ORIGIN}/api/auth/callback/oidc`

/** A certified OpenID Connect provider that signs `subject` in without asking. */
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider: Provider = new Provider(issuer, {
    clients: [{ client_id: 'vitrine', client_secret: 'a secret of the client', redirect_uris: [CALLBACK] }],
    claims: { openid: ['sub'], groups: ['groups'], email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...accounts.get(id) }) }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    cookies: { keys: ['a key of the cookies'] },
    pkce: { required: () => true },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({ clientId: oidc.client!.clientId, accountId: oidc.session!.accountId! })
      grant.addOIDCScope('openid email profile groups')
      await grant.save()
      return grant
    },
  })
  const answer = provider.callback()
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/'))
      void provider.interactionFinished(request, response, { login: { accountId: subject } })
    else void answer(request, response)
  })
  Object.assign(env, { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'vitrine', OIDC_CLIENT_SECRET: 'a secret of the client' })
})
afterAll(() => {
  Object.assign(env, { OIDC_ISSUER: '', OIDC_CLIENT_ID: '', OIDC_CLIENT_SECRET: '' })
  server.closeAllConnections()
  server.close()
})

/** Follows the provider's redirects as a browser does, up to our own address. */
async function visit(address: string): Promise<URL> {
  const jar = new Map<string, string>()
  for (let at = new URL(address); ;) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(at, { redirect: 'manual', headers: { cookie } })
    for (const set of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!
      jar.set(name!, value!)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`The provider answered ${response.status}: ${await response.text()}`)
    at = new URL(location, at)
    if (at.origin === env.ORIGIN) return at
  }
}

type Ways = {
  /** Changes what the browser brings back from the provider. */
  change?: (query: Record<string, string>) => Record<string, string>
  /** The session that the browser has already. */
  running?: string
}

/** Signs in with the provider as this account; where it leads, and the token of the session. */
async function signIn(account: Account & { sub?: string }, { change = (query) => query, running }: Ways = {}) {
  subject = account.sub ?? newId()
  accounts.set(subject, account)
  const csrf = await nextAuth({ path: ['csrf'], method: 'GET' })
  const begun = await nextAuth({
    path: ['signin', 'oidc'],
    method: 'POST',
    body: { csrfToken: (csrf.body as { csrfToken: string }).csrfToken },
    cookies: csrf.cookies,
  })
  const back = await visit(begun.location!)
  const { location, cookies } = await nextAuth({
    path: ['callback', 'oidc'],
    method: 'GET',
    query: change(Object.fromEntries(back.searchParams)),
    cookies: { ...csrf.cookies, ...begun.cookies, ...(running && { 'next-auth.session-token': running }) },
  })
  return { location, session: cookies['next-auth.session-token'] }
}

const caller = { requestId: 'test', clientAddress: '127.0.0.1' }

test('a member signs in with the provider, again and again', async () => {
  const { email, id } = await makeOrganization()
  expect(oauthNames()).toContainEqual({ id: 'oidc', name: 'single sign-on' })
  const sub = newId()
  for (let time = 0; time < 2; time++) {
    const { session } = await signIn({ sub, email, email_verified: true })
    expect(await memberContext(session!, caller)).toMatchObject({ organizationId: id })
  }
})

test('an address that the provider hasn’t verified gets nobody in', async () => {
  const { email, userId } = await makeOrganization()
  for (const account of [{ email }, { email, email_verified: false }]) {
    const { location, session } = await signIn(account)
    expect(session).toBeUndefined()
    expect(location).toMatch(/error=AccessDenied/)
  }
  expect(await systemClient().account.count({ where: { userId } })).toBe(0)
})

test('an address that no organization knows gets in nowhere', async () => {
  const email = `${newId()}@example.com`
  const { location } = await signIn({ email, email_verified: true })
  expect(location).toMatch(/error=AccessDenied/)
  expect(await systemClient().user.count({ where: { email } })).toBe(0)
})

test('an answer with another state or without one is refused', async () => {
  const { email, userId } = await makeOrganization()
  for (const state of ['another', undefined]) {
    const change = ({ state: _, ...query }: Record<string, string>) => ({ ...query, ...(state && { state }) })
    const { session } = await signIn({ email, email_verified: true }, { change })
    expect(session).toBeUndefined()
  }
  expect(await systemClient().session.count({ where: { userId } })).toBe(0)
})

test('whoever has a stolen session can’t link an account of their own to its person', async () => {
  const [victim, thief] = [await makeOrganization(), await makeOrganization()]
  const stolen = await signIn({ email: victim.email, email_verified: true })
  const { session } = await signIn({ email: thief.email, email_verified: true }, { running: stolen.session! })
  expect(await memberContext(session!, caller)).toMatchObject({ organizationId: thief.id })
  expect(await memberContext(stolen.session!, caller)).toBeNull()
  expect(await systemClient().account.count({ where: { userId: victim.userId } })).toBe(1)
})

test('signing in again with the provider makes a recent session', async () => {
  const { email } = await makeOrganization()
  const account = { email, email_verified: true, sub: newId() }
  const first = await signIn(account)
  await systemClient().session.update({
    where: { tokenHash: sessionHash(first.session!) },
    data: { createdAt: secondsFrom(now(), -HOUR) },
  })
  const again = await signIn(account, { running: first.session! })
  const { actor } = (await memberContext(again.session!, caller))!
  expect(actor.type === 'member' && actor.session.signedInAt > secondsFrom(now(), -MINUTE)).toBe(true)
})

describe('roles', () => {
  const ROLES = ['staff=EDITOR', 'chiefs=ADMIN', 'heads=OWNER', 'odd=name=VIEWER']
  beforeEach(
    () =>
      void Object.assign(env, {
        OIDC_ROLE_CLAIM: 'groups',
        OIDC_ROLES: ROLES,
        OIDC_SCOPE: 'openid email profile groups',
      }),
  )
  afterEach(() => void Object.assign(env, { OIDC_ROLE_CLAIM: '', OIDC_ROLES: [] }))

  const follow = ({ id }: { id: string }) =>
    systemClient().organization.update({ where: { id }, data: { followsOidcRoles: true } })
  const roleOf = async (id: string) => (await systemClient().member.findUniqueOrThrow({ where: { id } })).role
  const actionsOf = async ({ id }: { id: string }) =>
    (await systemClient().auditEntry.findMany({ where: { organizationId: id } })).map(({ action }) => action)

  /** A member of an organization that follows the provider and has another owner. */
  async function makeFollower(role: Role) {
    const owner = await makeOrganization()
    await follow(owner)
    const [email, id] = [`${newId()}@example.com`, newId()]
    const { id: userId } = await systemClient().user.create({ data: { email } })
    await systemClient().member.create({ data: { id, organizationId: owner.id, userId, role, joinedAt: now() } })
    return { owner, email, id, userId }
  }
  const signInWith = (email: string, groups?: unknown) => signIn({ email, email_verified: true, groups })

  test.each([
    [['staff'], 'EDITOR'],
    ['chiefs', 'ADMIN'],
    [['staff', 'chiefs', 'others'], 'ADMIN'],
    [['heads'], 'OWNER'],
    [['odd=name'], 'VIEWER'],
    [['others'], 'VIEWER'],
    [[], 'VIEWER'],
    [undefined, 'VIEWER'],
    [{ chiefs: true }, 'VIEWER'],
    [[['chiefs'], 7, null, 'chiefs=ADMIN'], 'VIEWER'],
  ])('%j makes a member %s', async (groups, role) => {
    const { owner, email, id } = await makeFollower(role === 'EDITOR' ? 'ADMIN' : 'EDITOR')
    expect((await signInWith(email, groups)).session).toBeDefined()
    expect(await roleOf(id)).toBe(role)
    expect(await actionsOf(owner)).toEqual(['member.role_followed'])
  })

  test('an organization that didn’t choose to follow keeps its roles', async () => {
    const { email, userId } = await makeFollower('EDITOR')
    const other = await makeOrganization()
    const id = newId()
    await systemClient().member.create({
      data: { id, organizationId: other.id, userId, role: 'VIEWER', joinedAt: now() },
    })
    await signInWith(email, ['heads'])
    expect(await roleOf(id)).toBe('VIEWER')
    expect(await actionsOf(other)).toEqual([])
  })

  test('the last owner stays one, and nobody is invited or removed', async () => {
    const mine = await makeOrganization()
    await follow(mine)
    await signInWith(mine.email, ['staff'])
    expect(await roleOf(mine.memberId)).toBe('OWNER')
    const { location } = await signInWith(`${newId()}@example.com`, ['heads'])
    expect(location).toMatch(/error=AccessDenied/)
    expect(await systemClient().member.count({ where: { organizationId: mine.id } })).toBe(1)
  })

  test('the owners are told of a new owner', async () => {
    const { owner, email } = await makeFollower('EDITOR')
    await signInWith(email, ['heads'])
    const where = { toEmail: owner.email, templateType: 'PROTECTED_CHANGE' }
    expect(await systemClient().outboxMessage.count({ where })).toBe(1)
  })

  test('a failure signs nobody in, and says nothing of its cause in the page’s URL', async () => {
    const { email, id } = await makeFollower('EDITOR')
    await refuseUpdates('members', `OLD.id = '${id}'`)
    const { location, session } = await signInWith(email, ['chiefs'])
    expect([location?.replace(/^.*\?/, ''), session]).toEqual(['error=Callback', undefined])
    expect(await roleOf(id)).toBe('EDITOR')
  })

  test('an unverified address changes no role', async () => {
    const { email, id } = await makeFollower('EDITOR')
    await signIn({ email, email_verified: false, groups: ['heads'] })
    expect(await roleOf(id)).toBe('EDITOR')
  })

  test('without a mapping nothing changes', async () => {
    Object.assign(env, { OIDC_ROLES: [] })
    const { email, id, owner } = await makeFollower('EDITOR')
    await signInWith(email, ['heads'])
    expect([await roleOf(id), await actionsOf(owner)]).toEqual(['EDITOR', []])
  })

  test('only an owner decides that roles follow', async () => {
    const mine = await makeOrganization({ role: 'ADMIN' })
    const url = `/v1/organizations/${mine.id}`
    const { body } = await call('PATCH', url, { key: mine.key, body: { follows_oidc_roles: true } })
    expect(body.code).toBe('role_beyond_own')
    const owned = await makeOrganization()
    const answer = await call('PATCH', `/v1/organizations/${owned.id}`, {
      key: owned.key,
      body: { follows_oidc_roles: true },
    })
    expect(answer.body).toMatchObject({ follows_oidc_roles: true })
  })
})
