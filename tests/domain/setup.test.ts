import { afterEach, beforeEach, expect, test } from 'vitest'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { issueSetupLink } from '../../lib/members/issue-setup-link.ts'
import { setUp } from '../../lib/members/set-up.ts'
import { createOrganization } from '../../lib/organizations/create-organization.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { nextAuth } from '../support/next-auth.ts'
import { startWebServer } from '../support/web-server.ts'

const worker = systemContext('test')
const HOUR_MS = 3_600_000

beforeEach(async () => {
  await systemClient().member.deleteMany({})
  await systemClient().organization.deleteMany({})
  await systemClient().setupLink.deleteMany({})
})
afterEach(resetClock)

const tokenOf = (link: string | null): string => new URL(link!).hash.slice(1)
const setUpWith = (token: string, email = `${newId()}@example.com`) =>
  setUp(worker, { token, name: 'The River Society', email })
const organizations = () => systemClient().organization.count()
const refusal = { code: 'forbidden' }

test('a setup link makes the first organization, and its owner is signed in without mail', async () => {
  const token = tokenOf(await issueSetupLink(worker))
  const email = `${newId()}@example.com`
  const link = new URL(await setUpWith(token, email))
  expect(await systemClient().outboxMessage.count({ where: { toEmail: email } })).toBe(0)

  const query = Object.fromEntries(link.searchParams)
  const { cookies } = await nextAuth({ path: ['callback', 'email'], method: 'GET', query })
  const session = await systemClient().session.findFirst({ where: { user: { email } } })
  expect(session).not.toBeNull()
  expect(cookies['next-auth.session-token']).toBeTruthy()
  const member = await systemClient().member.findFirst({ where: { userId: session!.userId } })
  expect(member).toMatchObject({ role: 'OWNER', joinedAt: expect.any(Date) })
})

test('two people who send the form of one link at once make one organization', async () => {
  const token = tokenOf(await issueSetupLink(worker))
  const outcomes = await Promise.allSettled([setUpWith(token), setUpWith(token)])
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await organizations()).toBe(1)
})

test('the links of web processes that start at once all work, and five used at once make one organization', async () => {
  const links = await Promise.all(Array.from({ length: 5 }, () => issueSetupLink(worker)))
  expect(new Set(links).size).toBe(5)
  const outcomes = await Promise.allSettled(links.map((link) => setUpWith(tokenOf(link))))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await organizations()).toBe(1)
  expect(await systemClient().setupLink.count()).toBe(0)
})

test('a setup link is over after an hour, and a new start prints one that works', async () => {
  const token = tokenOf(await issueSetupLink(worker))
  moveClock(HOUR_MS)
  await expect(setUpWith(token)).rejects.toMatchObject(refusal)
  expect(await organizations()).toBe(0)
  await setUpWith(tokenOf(await issueSetupLink(worker)))
  expect(await organizations()).toBe(1)
})

test('a used link and one that was never issued make nothing', async () => {
  const token = tokenOf(await issueSetupLink(worker))
  await setUpWith(token)
  for (const each of [token, 'A'.repeat(43), '']) await expect(setUpWith(each)).rejects.toMatchObject(refusal)
  expect(await organizations()).toBe(1)
})

test('once an organization exists, however it was made, links are void and none is issued', async () => {
  const token = tokenOf(await issueSetupLink(worker))
  await createOrganization(worker, { name: 'Made by hand', owner_email: `${newId()}@example.com` })
  expect(await systemClient().setupLink.count()).toBe(0)
  expect(await issueSetupLink(worker)).toBeNull()
  await expect(setUpWith(token)).rejects.toMatchObject(refusal)

  // A link whose row came back, as from a process that had read before: the organizations are asked, not the links
  // alone.
  const { setupTokenHash } = await import('../../lib/members/issue-setup-link.ts')
  const tokenHash = setupTokenHash(token)
  await systemClient().setupLink.create({ data: { tokenHash, expiresAt: new Date(Date.now() + HOUR_MS) } })
  await expect(setUpWith(token)).rejects.toMatchObject(refusal)
  expect(await organizations()).toBe(1)
})

test('an organization that is being made elsewhere is waited for', async () => {
  const token = tokenOf(await issueSetupLink(worker))
  const outcomes = await Promise.allSettled([
    createOrganization(worker, { name: 'Made by hand', owner_email: `${newId()}@example.com` }),
    ...Array.from({ length: 4 }, () => setUpWith(token)),
    ...Array.from({ length: 4 }, () => issueSetupLink(worker)),
  ])
  const made = outcomes.slice(1, 5).filter(({ status }) => status === 'fulfilled').length
  expect(await organizations()).toBe(1 + made)
  expect(made).toBeLessThanOrEqual(1)
  expect(await systemClient().setupLink.count()).toBe(0)
})

test('a setup link’s token reaches no server when the link is opened, and only its hash is stored', async () => {
  const link = new URL((await issueSetupLink(worker))!)
  expect(link.search).toBe('')
  const seen: string[] = []
  const web = await startWebServer(async (request, response) => {
    seen.push(request.url!, JSON.stringify(request.headers))
    response.end()
  })
  await fetch(`${web.url}${link.pathname}${link.hash}`)
  expect(seen[0]).toBe('/sign-in/setup')
  expect(seen.join()).not.toContain(tokenOf(link.href))
  const stored = await systemClient().setupLink.findMany()
  expect(stored.map(({ tokenHash }) => Buffer.from(tokenHash).toString('base64url'))).not.toContain(tokenOf(link.href))
})
