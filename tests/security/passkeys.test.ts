import { afterEach, describe, expect, test } from 'vitest'
import { HOUR, MINUTE, moveClock, now, resetClock } from '../../lib/core/clock.ts'
import { env } from '../../lib/core/env.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { disablePerson, enablePerson } from '../../lib/members/disable-person.ts'
import { beginPasskeyRegistration, registerPasskey } from '../../lib/members/register-passkey.ts'
import { removePasskey } from '../../lib/members/remove-passkey.ts'
import { findVisit, memberContext, systemContext } from '../../lib/platform/auth/authenticate.ts'
import { deleteOldRows } from '../../lib/data/retention/delete-old-rows.ts'
import { beginPasskeySignIn, listPasskeys } from '../../lib/platform/auth/passkeys.ts'
import { signInWithPasskey } from '../../lib/platform/auth/sign-in-with-passkey.ts'
import { type Authenticator, type Lies, makeAuthenticator } from '../support/authenticator.ts'
import { call } from '../support/call.ts'
import { makeKey, makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeSession } from '../support/sessions.ts'

afterEach(resetClock)

const caller = { requestId: 'test', clientAddress: '192.0.2.7' }
const browser = { clientAddress: '192.0.2.7', userAgent: 'A browser', replaces: undefined as string | undefined }
const refused = { code: 'passkey_refused' }

const visitOf = async (session: string, chosen?: string) => (await findVisit(session, caller, chosen))!

/** Registers a passkey in this session, as the page does. */
async function register(session: string, name = 'Phone', authenticator = makeAuthenticator(), lies: Lies = {}) {
  const { ctx } = await visitOf(session)
  const begun = await beginPasskeyRegistration(ctx)
  await registerPasskey(ctx, { name, answer: authenticator.register(begun.options, lies) }, begun.browser)
  return authenticator
}

/** Signs in as the page does; returns the session's token. */
async function signIn(authenticator: Authenticator, lies: Lies = {}, replaces?: string): Promise<string> {
  const { options, browser: challenged } = await beginPasskeySignIn(null)
  return (await signInWithPasskey(authenticator.signIn(options, lies), challenged, { ...browser, replaces }))
    .sessionToken
}

/** An owner with a passkey. */
async function makeHolder() {
  const mine = await makeOrganization()
  const session = await makeSession(mine.userId)
  return { mine, session, authenticator: await register(session) }
}

const sessionsOf = (userId: string) => systemClient().session.count({ where: { userId } })
const mailsTo = (toEmail: string, templateType: string) =>
  systemClient().outboxMessage.count({ where: { toEmail, templateType } })
const actionsOf = async ({ id }: { id: string }) =>
  (await systemClient().auditEntry.findMany({ where: { organizationId: id }, orderBy: { id: 'asc' } })).map(
    ({ action, actorId }) => [action, actorId],
  )

/** Another organization that this person has joined. */
async function joinAnother(userId: string): Promise<{ id: string; memberId: string; owner: TestOrganization }> {
  const owner = await makeOrganization()
  const memberId = newId()
  await systemClient().member.create({
    data: { id: memberId, organizationId: owner.id, userId, role: 'EDITOR', joinedAt: now() },
  })
  return { id: owner.id, memberId, owner }
}

const demand = (organizationId: string) =>
  systemClient().organization.update({ where: { id: organizationId }, data: { requiresPasskeys: true } })

test('a device is asked for a key of EdDSA, ES256 or RS256', async () => {
  const mine = await makeOrganization()
  const { ctx } = await visitOf(await makeSession(mine.userId))
  const { options } = await beginPasskeyRegistration(ctx)
  expect(options.pubKeyCredParams.map(({ alg }) => alg)).toEqual([-8, -7, -257])
  expect(Buffer.from(options.challenge, 'base64url')).toHaveLength(32)
  expect(Buffer.from((await beginPasskeySignIn(null)).browser, 'base64url')).toHaveLength(32)
})

describe('signing in', () => {
  test('a passkey signs its person in, again and again, with a recent session in place of the browser’s old one', async () => {
    const { mine, authenticator } = await makeHolder()
    moveClock(HOUR * 1000)
    const first = await signIn(authenticator)
    const second = await signIn(authenticator, {}, first)
    expect(await memberContext(first, caller)).toBeNull()
    const { actor, organizationId } = (await memberContext(second, caller))!
    expect(organizationId).toBe(mine.id)
    expect(actor.type === 'member' && now().getTime() - actor.session.signedInAt.getTime() < MINUTE * 1000).toBe(true)
    expect(await listPasskeys((await visitOf(second)).ctx)).toMatchObject([
      { name: 'Phone', lastUsedAt: expect.any(Date) },
    ])
  })

  const LIES: Record<string, Lies> = {
    'another origin': { origin: 'https://attacker.example' },
    'an origin that only begins like ours': { origin: `${env.ORIGIN}.attacker.example` },
    'another domain': { rpId: 'attacker.example' },
    'an unverified user': { userVerified: false },
    'a challenge of its own': { challenge: Buffer.from('of its own').toString('base64url') },
    'an answer to a registration': { type: 'webauthn.create' },
    'a counter that stands still': { counter: 1 },
    'a counter that goes back to zero': { counter: 0 },
    'another person': { userHandle: Buffer.from(newId()).toString('base64url') },
  }
  test.each(Object.entries(LIES))('%s is refused', async (_, lies) => {
    const { mine, authenticator } = await makeHolder()
    await signIn(authenticator)
    const before = await sessionsOf(mine.userId)
    await expect(signIn(authenticator, lies)).rejects.toMatchObject(refused)
    expect(await sessionsOf(mine.userId)).toBe(before)
  })

  test('an answer signed by another key than the credential’s is refused', async () => {
    const [victim, thief] = [await makeHolder(), await makeHolder()]
    const { credentialId } = victim.authenticator
    await expect(signIn(thief.authenticator, { credentialId })).rejects.toMatchObject(refused)
  })

  test('a passkey that nobody registered is refused', async () => {
    await expect(signIn(makeAuthenticator())).rejects.toMatchObject(refused)
  })

  test('an answer is accepted once, also of two that come at once', async () => {
    const { mine, authenticator } = await makeHolder()
    const before = await sessionsOf(mine.userId)
    const begun = await beginPasskeySignIn(null)
    const answer = authenticator.signIn(begun.options)
    const tries = Array.from({ length: 5 }, () => signInWithPasskey(answer, begun.browser, browser))
    const done = await Promise.allSettled(tries)
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await sessionsOf(mine.userId)).toBe(before + 1)
  })

  test('a challenge is used up by a wrong answer', async () => {
    const { authenticator } = await makeHolder()
    const { options, browser: challenged } = await beginPasskeySignIn(null)
    const wrong = authenticator.signIn(options, { userVerified: false })
    await expect(signInWithPasskey(wrong, challenged, browser)).rejects.toMatchObject(refused)
    await expect(signInWithPasskey(authenticator.signIn(options), challenged, browser)).rejects.toMatchObject(refused)
  })

  test('an answer works in the browser that it was asked in only', async () => {
    const { authenticator } = await makeHolder()
    const [mine, theirs] = [await beginPasskeySignIn(null), await beginPasskeySignIn(null)]
    const answer = authenticator.signIn(mine.options)
    for (const challenged of [undefined, '', 'a guess', theirs.browser])
      await expect(signInWithPasskey(answer, challenged, browser)).rejects.toMatchObject(refused)
  })

  test('a challenge ends after five minutes, and is deleted', async () => {
    const { authenticator } = await makeHolder()
    const [late, left] = [await beginPasskeySignIn(null), await beginPasskeySignIn(null)]
    moveClock((5 * MINUTE + 1) * 1000)
    await expect(signInWithPasskey(authenticator.signIn(late.options), late.browser, browser)).rejects.toMatchObject(
      refused,
    )
    const stored = () => systemClient().passkeyChallenge.count({ where: { challenge: left.options.challenge } })
    expect(await stored()).toBe(1)
    await deleteOldRows(systemContext())
    expect(await stored()).toBe(0)
  })

  test('two answers at once with the same count sign in once', async () => {
    const { authenticator } = await makeHolder()
    const done = await Promise.allSettled([1, 2, 3].map(() => signIn(authenticator, { counter: 50 })))
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('a passkey that never counts signs in again and again', async () => {
    const mine = await makeOrganization()
    const authenticator = await register(await makeSession(mine.userId), 'Synced', makeAuthenticator(), { counter: 0 })
    for (let time = 0; time < 2; time++) await signIn(authenticator, { counter: 0 })
  })

  test('whoever is a member nowhere any more is refused', async () => {
    const { mine, authenticator } = await makeHolder()
    await systemClient().member.update({ where: { id: mine.memberId }, data: { removedAt: now() } })
    await expect(signIn(authenticator)).rejects.toMatchObject(refused)
  })

  test('a disabled person is refused until they are enabled', async () => {
    const { mine, authenticator } = await makeHolder()
    await disablePerson(systemContext('test'), mine.email)
    await expect(signIn(authenticator)).rejects.toMatchObject(refused)
    expect(await sessionsOf(mine.userId)).toBe(0)
    await enablePerson(systemContext('test'), mine.email)
    expect(await memberContext(await signIn(authenticator), caller)).toMatchObject({ organizationId: mine.id })
  })

  test('what is no answer at all is refused', async () => {
    for (const answer of [null, 'text', {}, { id: 1 }, { id: 'x', response: {} }]) {
      const { browser: challenged } = await beginPasskeySignIn(null)
      await expect(signInWithPasskey(answer, challenged, browser)).rejects.toMatchObject(refused)
    }
  })

  test('somebody signed in is asked for a passkey of their own', async () => {
    const { session, authenticator } = await makeHolder()
    const { options } = await beginPasskeySignIn((await visitOf(session)).ctx)
    expect(options.allowCredentials!.map(({ id }) => id)).toEqual([authenticator.credentialId])
    expect(options.userVerification).toBe('required')
  })
})

describe('registering', () => {
  test('it needs a sign-in of the last ten minutes, before and after the browser is asked', async () => {
    const { userId } = await makeOrganization()
    const { ctx } = await visitOf(await makeSession(userId, { secondsAgo: 9 * MINUTE }))
    const begun = await beginPasskeyRegistration(ctx)
    moveClock(2 * MINUTE * 1000)
    await expect(beginPasskeyRegistration(ctx)).rejects.toMatchObject({ code: 'sign_in_again' })
    const answer = makeAuthenticator().register(begun.options)
    const given = { name: 'Phone', answer }
    await expect(registerPasskey(ctx, given, begun.browser)).rejects.toMatchObject({ code: 'sign_in_again' })
    expect(await listPasskeys(ctx)).toEqual([])
  })

  const LIES: Record<string, Lies> = {
    'another origin': { origin: 'https://attacker.example' },
    'another domain': { rpId: 'attacker.example' },
    'an unverified user': { userVerified: false },
    'a challenge of its own': { challenge: Buffer.from('of its own').toString('base64url') },
  }
  test.each(Object.entries(LIES))('%s is refused', async (_, lies) => {
    const { userId } = await makeOrganization()
    const session = await makeSession(userId)
    await expect(register(session, 'Phone', makeAuthenticator(), lies)).rejects.toMatchObject(refused)
    expect(await listPasskeys((await visitOf(session)).ctx)).toEqual([])
  })

  test('a session that was ended meanwhile registers nothing', async () => {
    const { userId } = await makeOrganization()
    const { ctx } = await visitOf(await makeSession(userId))
    const { options, browser: challenged } = await beginPasskeyRegistration(ctx)
    await systemClient().session.deleteMany({ where: { userId } })
    const answer = makeAuthenticator().register(options)
    await expect(registerPasskey(ctx, { name: 'Phone', answer }, challenged)).rejects.toMatchObject({
      code: 'sign_in_again',
    })
    expect(await systemClient().passkey.count({ where: { userId } })).toBe(0)
  })

  test('a challenge of another person, or of a sign-in, registers nothing', async () => {
    const [mine, theirs] = [await makeOrganization(), await makeOrganization()]
    const { ctx } = await visitOf(await makeSession(mine.userId))
    const other = await beginPasskeyRegistration((await visitOf(await makeSession(theirs.userId))).ctx)
    const stranger = await beginPasskeySignIn(null)
    for (const { options, browser: challenged } of [other, stranger]) {
      const answer = makeAuthenticator().register({ challenge: options.challenge, user: { id: mine.userId } })
      await expect(registerPasskey(ctx, { name: 'Phone', answer }, challenged)).rejects.toMatchObject(refused)
    }
  })

  test('another person’s credential can’t be registered again', async () => {
    const victim = await makeHolder()
    const { userId } = await makeOrganization()
    const copy = makeAuthenticator({ credentialId: victim.authenticator.credentialId })
    await expect(register(await makeSession(userId), 'Copy', copy)).rejects.toMatchObject(refused)
    await signIn(victim.authenticator)
  })

  test('the log of each organization of the person says so, and a mail tells the person', async () => {
    const mine = await makeOrganization()
    const other = await joinAnother(mine.userId)
    await register(await makeSession(mine.userId))
    expect(await actionsOf(mine)).toEqual([['passkey.registered', mine.memberId]])
    expect(await actionsOf(other)).toEqual([['passkey.registered', other.memberId]])
    expect(await mailsTo(mine.email, 'PASSKEY_CHANGE')).toBe(1)
    expect(await mailsTo(other.owner.email, 'PROTECTED_CHANGE')).toBe(0)
  })

  test('a person has twenty passkeys at most', async () => {
    const { mine, session } = await makeHolder()
    await systemClient().passkey.createMany({
      data: Array.from({ length: 18 }, () => ({
        id: newId(),
        userId: mine.userId,
        name: 'More',
        credentialId: newId(),
        publicKey: new Uint8Array(1),
        counter: 0n,
        backedUp: false,
      })),
    })
    const done = await Promise.allSettled([1, 2, 3].map(() => register(session)))
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

describe('removing', () => {
  test('it ends the sessions that the passkey made, but the one that asks, and signs nobody in any more', async () => {
    const { mine, authenticator } = await makeHolder()
    const [lost, asking] = [await signIn(authenticator), await signIn(authenticator)]
    const linked = await makeSession(mine.userId)
    const { ctx } = await visitOf(asking)
    await removePasskey(ctx, (await listPasskeys(ctx))[0]!.id)
    const running = await Promise.all([lost, asking, linked].map((token) => memberContext(token, caller)))
    expect(running.map((each) => each !== null)).toEqual([false, true, true])
    await expect(signIn(authenticator)).rejects.toMatchObject(refused)
    expect((await actionsOf(mine)).at(-1)).toEqual(['passkey.removed', mine.memberId])
    expect(await mailsTo(mine.email, 'PASSKEY_CHANGE')).toBe(2)
  })

  test('it needs a recent sign-in, and reaches the person’s own passkeys only', async () => {
    const [mine, theirs] = [await makeHolder(), await makeHolder()]
    const { ctx } = await visitOf(mine.session)
    const [foreign] = await listPasskeys((await visitOf(theirs.session)).ctx)
    await expect(removePasskey(ctx, foreign!.id)).rejects.toMatchObject({ code: 'not_found' })
    const [own] = await listPasskeys(ctx)
    moveClock(11 * MINUTE * 1000)
    await expect(removePasskey(ctx, own!.id)).rejects.toMatchObject({ code: 'sign_in_again' })
    await signIn(theirs.authenticator)
    await signIn(mine.authenticator)
  })
})

describe('an organization that asks for passkeys', () => {
  const asSession = (session: string, organizationId: string) => ({
    headers: {
      cookie: `next-auth.session-token=${session}; vitrine-organization=${organizationId}`,
      origin: env.ORIGIN,
    },
  })

  test('opens for sessions that a passkey made; others have no permission, also in its API', async () => {
    const { mine, authenticator } = await makeHolder()
    await demand(mine.id)
    const [linked, byPasskey] = [await makeSession(mine.userId), await signIn(authenticator)]
    const { ctx, needsPasskey } = await visitOf(linked)
    expect([needsPasskey, ctx.actor.type === 'member' && ctx.actor.permissions]).toEqual([true, []])
    await expect(memberContext(linked, caller)).rejects.toMatchObject({ code: 'passkey_required' })
    const answer = await call('GET', '/v1/me', asSession(linked, mine.id))
    expect([answer.status, answer.body.code]).toEqual([403, 'passkey_required'])
    expect((await call('GET', '/v1/me', asSession(byPasskey, mine.id))).status).toBe(200)
  })

  test('its API keys work as before', async () => {
    const mine = await makeOrganization()
    await demand(mine.id)
    expect((await call('GET', '/v1/me', { key: mine.key })).status).toBe(200)
  })

  test('a lost passkey: a link and a new passkey open it again, and its owners are told', async () => {
    const { mine, session } = await makeHolder()
    const other = await joinAnother(mine.userId)
    await demand(other.id)
    await systemClient().session.deleteMany({ where: { userId: mine.userId } })
    const linked = await makeSession(mine.userId)
    expect(await memberContext(session, caller)).toBeNull()
    expect((await visitOf(linked, other.id)).needsPasskey).toBe(true)
    const mailed = await mailsTo(other.owner.email, 'PROTECTED_CHANGE')
    await register(linked, 'New phone')
    expect((await visitOf(linked, other.id)).needsPasskey).toBe(false)
    expect(await mailsTo(other.owner.email, 'PROTECTED_CHANGE')).toBe(mailed + 1)
  })

  test('a person’s other organizations stay open', async () => {
    const mine = await makeOrganization()
    const other = await joinAnother(mine.userId)
    await demand(other.id)
    const linked = await makeSession(mine.userId)
    expect((await visitOf(linked, other.id)).needsPasskey).toBe(true)
    expect(await memberContext(linked, caller, mine.id)).toMatchObject({ organizationId: mine.id })
  })

  const set = (mine: { id: string }, session: string, requires_passkeys: boolean) =>
    call('PATCH', `/v1/organizations/${mine.id}`, { ...asSession(session, mine.id), body: { requires_passkeys } })

  test('an owner with a passkey switches it on and off after a recent sign-in; other owners are told', async () => {
    const { mine, authenticator } = await makeHolder()
    const session = await signIn(authenticator)
    expect((await set(mine, session, true)).body).toMatchObject({ requires_passkeys: true })
    expect(await mailsTo(mine.email, 'PROTECTED_CHANGE')).toBe(1)
    expect((await set(mine, session, false)).body).toMatchObject({ requires_passkeys: false })
    moveClock(11 * MINUTE * 1000)
    expect((await set(mine, session, true)).body.code).toBe('sign_in_again')
  })

  test('an owner without a passkey can’t switch it on', async () => {
    const mine = await makeOrganization()
    expect((await set(mine, await makeSession(mine.userId), true)).body.code).toBe('passkey_required')
  })

  test('an administrator decides nothing, signed in or by key', async () => {
    const { mine, authenticator } = await makeHolder()
    await systemClient().member.update({ where: { id: mine.memberId }, data: { role: 'ADMIN' } })
    await demand(mine.id)
    const { key } = await makeKey(mine, { mode: 'LIVE' })
    const url = `/v1/organizations/${mine.id}`
    const byKey = await call('PATCH', url, { key, body: { requires_passkeys: false } })
    const signedIn = await set(mine, await signIn(authenticator), false)
    expect([byKey.body.code, signedIn.body.code]).toEqual(['role_beyond_own', 'role_beyond_own'])
  })

  test('whoever removes their last passkey needs another one', async () => {
    const { mine, session } = await makeHolder()
    await demand(mine.id)
    const { ctx } = await visitOf(session)
    await removePasskey(ctx, (await listPasskeys(ctx))[0]!.id)
    expect((await visitOf(session)).needsPasskey).toBe(true)
    await register(session, 'Another')
    expect((await visitOf(session)).needsPasskey).toBe(false)
  })
})
