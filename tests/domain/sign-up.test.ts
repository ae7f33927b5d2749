import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { sendRoyalties } from '../../lib/catalog/items/send-royalties.ts'
import { env } from '../../lib/core/env.ts'
import { GWEI } from '../../lib/core/gas.ts'
import { newId } from '../../lib/core/id.ts'
import { reopenClaim } from '../../lib/giving/reopen-claim.ts'
import { systemClient } from '../../lib/db/client.ts'
import { isApprovalNeeded } from '../../lib/db/errors.ts'
import { disablePerson, enablePerson } from '../../lib/members/disable-person.ts'
import { askForSignIn } from '../../lib/members/ask-for-sign-in.ts'
import { countSignUp } from '../../lib/members/count-sign-up.ts'
import { sendSignIn } from '../../lib/members/send-sign-in.ts'
import { signUp } from '../../lib/members/sign-up.ts'
import { writeMail } from '../../lib/messaging/outbox/write-mail.ts'
import { readersOf } from '../../lib/messaging/readers-of.ts'
import { spendGasBudget } from '../../lib/orders/gas-budget.ts'
import { approveOrganization } from '../../lib/organizations/approve-organization.ts'
import {
  findSignedIn,
  memberContext,
  organizationContext,
  systemContext,
} from '../../lib/platform/auth/authenticate.ts'
import { type AnyContext, inTransaction } from '../../lib/platform/auth/context.ts'
import { createSignInLink } from '../../lib/platform/auth/sign-in.ts'
import { call } from '../support/call.ts'
import { installFakeChain, makeItem, sendClaim } from '../support/claims.ts'
import { drainJobs } from '../support/jobs.ts'
import { nextAuth } from '../support/next-auth.ts'
import { makeKey, makeOrganization } from '../support/organization.ts'
import { until } from '../support/until.ts'

const worker = systemContext('test')
const caller = { requestId: 'test', clientAddress: '' }
const before = { ...env }
beforeEach(() => void (env.SIGN_UP = 'open'))
afterEach(async () => {
  Object.assign(env, before)
  resetClock()
  await systemClient().signUp.deleteMany({})
})

const makeEmail = () => `${newId()}@example.com`
const mailsTo = (toEmail: string) => systemClient().outboxMessage.count({ where: { toEmail, templateType: 'SIGN_IN' } })

async function ask(email: string, clientAddress: string): Promise<void> {
  await askForSignIn(worker, { email, clientAddress })
  await drainJobs()
}

/** Signs in by a link, as the link's button does, and returns the session's token. */
async function signIn(email: string): Promise<string | undefined> {
  const query = Object.fromEntries(new URL(await createSignInLink(email)).searchParams)
  const { cookies } = await nextAuth({ path: ['callback', 'email'], method: 'GET', query })
  return cookies['next-auth.session-token']
}

const makeNewcomer = async (email = makeEmail(), clientAddress = '192.0.2.1') => {
  const { organizationId } = await signUp(worker, { name: 'The River Society', email, clientAddress })
  return { id: organizationId, email, ctx: organizationContext(organizationId, 'test') }
}
const makeCollection = (organizationId: string, mode: 'LIVE' | 'TEST') =>
  systemClient().collection.create({ data: { id: newId(), organizationId, name: newId(), mode, networkId: 1 } })

describe('closed', () => {
  beforeEach(() => void (env.SIGN_UP = 'closed'))

  test('a stranger gets no mail, can’t sign in with any link, and makes no organization', async () => {
    const email = makeEmail()
    await ask(email, '192.0.2.1')
    expect(await mailsTo(email)).toBe(0)
    expect(await signIn(email)).toBeUndefined()
    await expect(makeNewcomer(email)).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('open', () => {
  test('a stranger proves their mailbox, makes an organization and owns it; the operator is told', async () => {
    const email = makeEmail()
    await ask(email, '192.0.2.1')
    expect(await mailsTo(email)).toBe(1)
    const token = (await signIn(email))!
    expect(await memberContext(token, caller)).toBeNull()
    expect(await findSignedIn(token)).toMatchObject({ email })

    const { id } = await makeNewcomer(email)
    expect(await memberContext(token, caller)).toMatchObject({ organizationId: id })
    const alarm = { kind: 'newcomer', subject: id }
    expect(await systemClient().alarm.findFirst({ where: alarm })).toMatchObject({
      organizationId: null,
      resolvedAt: null,
    })
    await approveOrganization(worker, id)
    expect((await systemClient().alarm.findFirst({ where: alarm }))!.resolvedAt).not.toBeNull()
    await expect(approveOrganization(worker, id)).rejects.toMatchObject({ code: 'conflict' })
  })

  test('a session acts for no organization that its person isn’t a member of, whatever its cookie says', async () => {
    const { id: other } = await makeOrganization()
    const [first, email] = [await makeNewcomer(), makeEmail()]
    const [one, two] = [await makeNewcomer(email), await makeNewcomer(email)]
    const token = (await signIn(email))!
    for (const chosen of [other, first.id, newId()])
      expect((await memberContext(token, caller, chosen))!.organizationId).toBe(one.id)
    expect((await memberContext(token, caller, two.id))!.organizationId).toBe(two.id)
  })

  test('the database refuses everything LIVE of an organization until it is approved, whoever writes it', async () => {
    const { id, ctx } = await makeNewcomer()
    const refused = await makeCollection(id, 'LIVE').catch((error: unknown) => error)
    expect(isApprovalNeeded(refused)).toBe(true)
    const { id: collectionId } = await makeCollection(id, 'TEST')
    for (const db of [ctx.db, systemClient()])
      expect(
        isApprovalNeeded(
          await db.collection.update({ where: { id: collectionId }, data: { mode: 'LIVE' } }).catch((e: unknown) => e),
        ),
      ).toBe(true)
    const account = { id: newId(), organizationId: id, adapter: 'STRIPE' as const, mode: 'LIVE' as const }
    const connected = await ctx.db.paymentIntegration.create({ data: account }).catch((error: unknown) => error)
    expect(isApprovalNeeded(connected)).toBe(true)

    await approveOrganization(worker, id)
    await ctx.db.collection.update({ where: { id: collectionId }, data: { mode: 'LIVE' } })
  })

  test('an organization can’t approve itself', async () => {
    const { id, ctx } = await makeNewcomer()
    const tried = await ctx.db.organization
      .update({ where: { id }, data: { newcomerSince: null } })
      .catch((error: unknown) => error)
    expect(isApprovalNeeded(tried)).toBe(true)
    expect(await systemClient().organization.findUnique({ where: { id } })).toMatchObject({
      newcomerSince: expect.any(Date),
    })
  })

  test('ten mails at once of an organization with a quota of three: three are written, and more a day later', async () => {
    env.NEWCOMER_MAILS_PER_DAY = 3
    const { id, ctx } = await makeNewcomer()
    const variables = { organization_name: 'x', inviter: 'x', role: 'x', sign_in_url: 'x', days: '7' }
    const write = () => writeMail(ctx, { templateType: 'MEMBER_INVITE', to: makeEmail(), variables })
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, write))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'rate_limited' })
    expect(await systemClient().outboxMessage.count({ where: { organizationId: id } })).toBe(3)
    moveClock(86_400_000 + 1)
    await write()
    await approveOrganization(worker, id)
    await Promise.all(Array.from({ length: 5 }, write))
  })

  test('a mint that failed is entered when the quota of mails is used up, and its recipient is told', async () => {
    installFakeChain()
    env.NEWCOMER_MAILS_PER_DAY = 1
    const { id, ctx } = await makeNewcomer()
    const claim = await sendClaim({ id, ctx })
    await expect(sendClaim({ id, ctx })).rejects.toMatchObject({ code: 'rate_limited' })
    await systemClient().emailClaim.update({ where: { id: claim.id }, data: { state: 'REDEEMED' } })
    await inTransaction(ctx, (tx) => reopenClaim(tx, claim.id, 'The transaction reverted on chain.'))
    expect(await ctx.db.emailClaim.findFirst({ where: { id: claim.id } })).toMatchObject({ state: 'OPEN' })
    expect(await systemClient().outboxMessage.count({ where: { toEmail: claim.email } })).toBe(2)
  })

  test('a newcomer has a gas quota where others have no limit, which 0 and unlimited both say', async () => {
    const newcomer = await makeNewcomer()
    const { ctx } = await makeOrganization()
    for (const unlimited of ['0', 'unlimited']) {
      env.GAS_BUDGET_GWEI = unlimited
      expect(await spendGasBudget(ctx, 31337)).toBe(0n)
      env.NEWCOMER_GAS_GWEI = '50000000'
      expect(await spendGasBudget(newcomer.ctx, 31337)).toBeGreaterThan(0n)
      env.NEWCOMER_GAS_GWEI = '0'
      await expect(spendGasBudget(newcomer.ctx, 31337)).rejects.toMatchObject({ code: 'gas_budget_spent' })
    }
  })

  test('what isn’t signed yet counts for the gas quota, whatever it is', async () => {
    const { id, ctx } = await makeNewcomer()
    const { collectionId } = await makeItem({ id, ctx })
    const collection = await ctx.db.collection.findFirstOrThrow({ where: { id: collectionId } })
    const cost = await inTransaction(ctx, (tx) => spendGasBudget(tx, collection.networkId!))
    env.NEWCOMER_GAS_GWEI = String((cost * 2n) / GWEI)
    const setRoyalty = (tokenId: string) =>
      inTransaction(ctx, (tx) => sendRoyalties(tx, collection, [{ tokenId, royaltyReceiver: null, royaltyBps: null }]))
    for (const tokenId of ['1', '2']) await setRoyalty(tokenId)
    await expect(setRoyalty('3')).rejects.toMatchObject({ code: 'gas_budget_spent' })
    // Another network has a quota of its own, and fees of its own.
    const other = collection.networkId! + 1
    expect(await spendGasBudget(ctx, other, 2)).toBe(cost)
    const { id: transactionId } = await ctx.db.transaction.findFirstOrThrow({ where: { collectionId } })
    const bytes = { hash: '0x01', raw: '0x02', gasLimit: 1n, maxFeePerGas: 1, maxPriorityFeePerGas: 1 }
    const signed = { id: newId(), organizationId: id, transactionId, operator: '0x03', nonce: 0, mintRequestIds: [] }
    await ctx.db.signedTransaction.create({ data: { ...signed, ...bytes, networkId: collection.networkId! } })
    expect(await spendGasBudget(ctx, other, 2)).toBe(cost)
  })

  test('a flood of addresses from one network is mailed up to the limit; members and other clients aren’t affected', async () => {
    env.SIGN_UPS_PER_CLIENT = 4
    const { email: member } = await makeOrganization()
    const strangers = Array.from({ length: 12 }, makeEmail)
    for (const [at, email] of strangers.entries())
      await askForSignIn(worker, { email, clientAddress: `2001:db8:0:1::${at + 1}` })
    await drainJobs()
    const mailed = await Promise.all(strangers.map(mailsTo))
    expect(mailed.reduce((sum, count) => sum + count, 0)).toBe(4)
    await ask(member, '2001:db8:0:1::1')
    expect(await mailsTo(member)).toBe(1)
    const elsewhere = makeEmail()
    await ask(elsewhere, '2001:db8:0:2::1')
    expect(await mailsTo(elsewhere)).toBe(1)
  })

  test('somebody who makes an organization while they are mailed another link waits for no one who waits for them', async () => {
    const email = makeEmail()
    await signIn(email)
    const sending = await inTransaction(worker, async (tx) => {
      await countSignUp(tx, { email: makeEmail(), client: '192.0.2.9' })
      const begun = sendSignIn(worker, { email, client: '192.0.2.1' })
      await until('The mail waits', async () => {
        const waiting = Prisma.sql`SELECT 1 FROM pg_locks WHERE relation = 'sign_ups'::regclass AND NOT granted`
        return (await systemClient().$queryRaw<unknown[]>(waiting)).length > 0
      })
      await tx.sql(Prisma.sql`SELECT id FROM users WHERE email = ${email} FOR NO KEY UPDATE NOWAIT`)
      return { begun }
    })
    await sending.begun
    expect(await mailsTo(email)).toBe(1)
  })

  test('six organizations at once of one mailbox under six names of it: two are made, and more once these are approved', async () => {
    const name = newId().replaceAll('-', '')
    const emails = ['', '+a', '+b', '+c', '+d', '+e'].map((tag) => `${name}${tag}@gmail.com`)
    const outcomes = await Promise.allSettled(emails.map((email, at) => makeNewcomer(email, `192.0.2.${at + 10}`)))
    const made = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.id] : []))
    expect(made).toHaveLength(2)
    for (const id of made) await approveOrganization(worker, id)
    await makeNewcomer(emails[0])
  })

  test('one client makes a bounded number of organizations in a day', async () => {
    env.SIGN_UPS_PER_CLIENT = 2
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, () => makeNewcomer(makeEmail(), '198.51.100.7')),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(await systemClient().signUp.count({ where: { client: '198.51.100.7' } })).toBe(2)
    moveClock(86_400_000 + 1)
    await makeNewcomer(makeEmail(), '198.51.100.7')
  })
})

test('a disabled person’s sessions and API keys end, and no link signs them in until they are enabled', async () => {
  const { email, key, id } = await makeOrganization()
  const token = (await signIn(email))!
  expect(await memberContext(token, caller)).not.toBeNull()
  expect(await disablePerson(worker, email.toUpperCase())).toEqual({ organizations: [id] })
  expect(await memberContext(token, caller)).toBeNull()
  expect(await findSignedIn(token)).toBeNull()
  expect((await call('GET', '/v1/me', { key })).status).toBe(401)
  expect(await signIn(email)).toBeUndefined()
  await ask(email, '192.0.2.1')
  expect(await mailsTo(email)).toBe(0)
  const actions = await systemClient().auditEntry.findMany({ where: { organizationId: id }, select: { action: true } })
  expect(actions).toContainEqual({ action: 'member.disabled' })

  await enablePerson(worker, email)
  expect(await memberContext((await signIn(email))!, caller)).not.toBeNull()
  expect((await call('GET', '/v1/me', { key })).status).toBe(401)
})

test('an API key that was being made while its person was disabled opens nothing', async () => {
  const mine = await makeOrganization()
  await disablePerson(worker, mine.email)
  const { key } = await makeKey({ id: mine.id, memberId: mine.memberId })
  expect((await call('GET', '/v1/me', { key })).status).toBe(401)
})

test('a disabled owner is mailed nothing about the organization, and doesn’t count as another owner', async () => {
  const mine = await makeOrganization()
  const other = await systemClient().user.create({ data: { email: makeEmail() } })
  await systemClient().member.create({
    data: { id: newId(), organizationId: mine.id, userId: other.id, role: 'OWNER', joinedAt: new Date() },
  })
  const ownersOf = async (ctx: AnyContext) => {
    const { readers } = await readersOf(ctx, mine.id, ['OWNER'])
    return readers.map(({ email }) => email).toSorted()
  }
  expect(await ownersOf(mine.ctx)).toEqual([mine.email, other.email].toSorted())
  await disablePerson(worker, other.email)
  expect(await ownersOf(mine.ctx)).toEqual([mine.email])
  expect(await ownersOf(worker)).toEqual([mine.email])
  const { body } = await call('PATCH', `/v1/members/${mine.memberId}`, { key: mine.key, body: { role: 'ADMIN' } })
  expect(body.code).toBe('last_owner')
})
