import { describe, expect, test } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { asDeployed, authenticate, memberContext, systemContext } from '../../lib/platform/auth/authenticate.ts'
import {
  type Context,
  inJoinedOrganizations,
  inTransaction,
  type ModelsContext,
  type SystemContext,
} from '../../lib/platform/auth/context.ts'
import {
  cardEventContext,
  contextsOfPerson,
  linkRequestContext,
  maintenanceContext,
  personContext,
  sandboxClockContext,
  setUpContext,
  signUpContext,
  walletCopiesContext,
} from '../../lib/platform/auth/narrow-contexts.ts'
import { raiseAlarm, resolveAlarm } from '../../lib/records/alarms/raise-alarm.ts'
import { makeOrganization } from '../support/organization.ts'
import { makeSession } from '../support/sessions.ts'

const caller = { requestId: 'test', clientAddress: '192.0.2.1' }
const anyone = () => authenticate('anonymous', new Request('http://localhost/'), {}, caller)

describe('a context of a few models', () => {
  const KINDS = {
    'copies of wallets': [async () => walletCopiesContext(await anyone()), ['walletCopy']],
    'events of cards': [() => cardEventContext(caller), ['cardEvent']],
    'the sandbox’s clock': [() => sandboxClockContext(), ['sandboxClock']],
    'the state of maintenance': [() => maintenanceContext(), ['maintenance']],
    'a setup link': [() => setUpContext('test'), ['setupLink', 'organization', 'user', 'member', 'verificationToken']],
    'a sign-up': [() => signUpContext('test'), ['signUp', 'organization', 'user', 'member', 'alarm']],
  } as const

  test.each(Object.entries(KINDS))('for %s has these and no way to any other row', async (_, [made, models]) => {
    const ctx = (await made()) as ModelsContext<never>
    const expected = { models: [...models], ways: ['later', 'transaction'] }
    const waysOf = (reach: object) => ({
      models: Object.keys((reach as { db: object }).db),
      ways: ['later', 'rows', 'sql', 'transaction', 'within'].filter((way) => way in reach),
    })
    expect(waysOf(ctx)).toEqual(expected)
    expect(await inTransaction(ctx, (tx) => Promise.resolve(waysOf(tx)))).toEqual(expected)
  })

  test('is accepted neither as the worker’s context nor as an organization’s', () => {
    const takesAll = (ctx: SystemContext) => ctx.sees
    const takesOne = (ctx: Context) => ctx.sees
    // @ts-expect-error It doesn't see everything: this line must not compile.
    expect(takesAll(maintenanceContext())).toBe('models')
    // @ts-expect-error It is no organization's: this line must not compile.
    expect(takesOne(maintenanceContext())).toBe('models')
  })
})

describe('the context of a person', () => {
  async function makePerson() {
    const organization = await makeOrganization()
    const ctx = (await memberContext(await makeSession(organization.userId), caller))!
    return { ...organization, person: personContext(ctx) }
  }

  test('reads, changes and ends nothing of another person', async () => {
    const [mine, other] = [await makePerson(), await makePerson()]
    const theirs = { where: { userId: other.userId } }
    await inTransaction(mine.person, async ({ db }) => {
      expect(await db.session.count(theirs)).toBe(1) // of one's own, whatever is asked for
      expect(await db.session.findMany({ where: { user: { id: other.userId } } })).toEqual([])
      expect((await db.user.findMany()).map(({ id }) => id)).toEqual([mine.userId])
      await db.user.updateMany({ data: { locale: 'fr' } })
      await db.session.deleteMany()
      const passkey = { id: newId(), name: 'Mine', credentialId: newId(), publicKey: new Uint8Array(1) }
      const made = await db.passkey.create({
        data: { ...passkey, counter: 0, backedUp: true, userId: other.userId },
      })
      expect(made.userId).toBe(mine.userId)
      await expect(db.passkey.update({ where: { id: made.id }, data: { userId: other.userId } })).rejects.toThrow()
      await expect(
        db.passkey.update({ where: { id: made.id }, data: { user: { connect: { id: other.userId } } } }),
      ).rejects.toThrow()
    })
    expect(await systemClient().session.count(theirs)).toBe(1)
    expect(await systemClient().user.findUnique({ where: { id: other.userId } })).toMatchObject({ locale: null })
  })

  test('opens the organizations that they have joined, one after another, and no other', async () => {
    const [mine, second, left, invited, foreign] = await Promise.all(Array.from({ length: 5 }, makePerson))
    const member = { userId: mine!.userId, role: 'VIEWER' as const }
    const memberships = [
      { ...member, organizationId: second!.id, joinedAt: new Date() },
      { ...member, organizationId: left!.id, joinedAt: new Date(), removedAt: new Date() },
      { ...member, organizationId: invited!.id },
    ]
    await systemClient().member.createMany({ data: memberships.map((each) => ({ id: newId(), ...each })) })
    const opened = (only?: string) =>
      inTransaction(mine!.person, async (tx) => {
        const seen: unknown[] = []
        const see = async (own: Context) => {
          const rows = await own.sql<{ id: string }>(Prisma.sql`SELECT id::text AS id FROM organizations`)
          seen.push(...rows.map(({ id }) => id))
        }
        await inJoinedOrganizations(tx, see, only)
        return seen
      })
    expect(await opened()).toEqual([mine!.id, second!.id].toSorted())
    expect(await opened(second!.id)).toEqual([second!.id])
    expect(await opened(foreign!.id)).toEqual([])
    const named = await contextsOfPerson(mine!.email, caller)
    expect(named!.contexts.map(({ organizationId }) => organizationId)).toEqual(
      [mine!.id, second!.id, invited!.id].toSorted(),
    )
  })
})

test('whoever asks for a link only leaves a job', () => {
  expect(Object.keys(linkRequestContext({ requestId: 'test' })).toSorted()).toEqual(['later', 'requestId'])
})

test('the public learns which networks’ index is late, and nothing else of alarms', async () => {
  const ctx = asDeployed(await anyone())
  const worker = systemContext('test')
  const late = () => ctx.rows<{ id: number }>({ name: 'late_networks', text: 'SELECT id FROM late_networks() AS id' })
  await raiseAlarm(worker, 'indexing_late', '424242', 'It is late.')
  await raiseAlarm(worker, 'chain_down', '434343', 'It is down.')
  expect((await late()).map(({ id }) => id)).toContain(424242)
  expect((await late()).map(({ id }) => id)).not.toContain(434343)
  await expect(ctx.sql(Prisma.sql`SELECT * FROM alarms`)).rejects.toThrow('permission denied')
  for (const [kind, subject] of [
    ['indexing_late', '424242'],
    ['chain_down', '434343'],
  ] as const)
    // prettier-ignore
    await resolveAlarm(worker, kind, subject)
  expect((await late()).map(({ id }) => id)).not.toContain(424242)
})
