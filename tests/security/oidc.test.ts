import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HOUR, MINUTE, now, secondsFrom } from '../../lib/core/clock.ts'
import { env } from '../../lib/core/env.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { memberContext } from '../../lib/platform/auth/authenticate.ts'
import { sessionHash } from '../../lib/platform/auth/create-session.ts'
import { oauthNames } from '../../lib/platform/auth/next-auth.ts'
import { nextAuth } from '../support/next-auth.ts'
import { makeOrganization } from '../support/organization.ts'

type Account = { email: string; email_verified?: boolean }
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
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...accounts.get(id) }) }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    cookies: { keys: ['a key of the cookies'] },
    pkce: { required: () => true },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({ clientId: oidc.client!.clientId, accountId: oidc.session!.accountId! })
      grant.addOIDCScope('openid email profile')
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
