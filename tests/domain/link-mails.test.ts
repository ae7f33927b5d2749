import { beforeEach, expect, test } from 'vitest'
import { DAY, moveClock, resetClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { suppressAddress } from '../../lib/messaging/email-integrations/suppress-address.ts'
import { openVariables } from '../../lib/messaging/outbox/outbox.ts'
import { call, callerOf } from '../support/call.ts'
import { installFakeChain, makeItem, sendClaim } from '../support/claims.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'
import { drainJobs } from '../support/jobs.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { buy, connectCards, deliverCardEvents, makeListing, pay } from '../support/selling.ts'

let mine: TestOrganization
let clients = 0
beforeEach(async () => {
  resetClock()
  installFakeChain()
  mine = await makeOrganization()
})

const askFor = (email: string, client = `198.51.100.${++clients % 250}`) =>
  call('POST', '/public/v1/link-mails', { body: { email }, headers: { 'x-client-address': client } })

/** What was mailed to a mailbox when it asked for its links. */
async function linksOf(email: string) {
  const rows = await systemClient().outboxMessage.findMany({
    where: { templateType: 'LINKS', toEmail: email.toLowerCase() },
    orderBy: { id: 'asc' },
  })
  return rows.map(({ id, organizationId, variables }) => ({
    organizationId,
    ...openVariables<'LINKS'>({ id }, variables!),
  }))
}

/** Asks, and gives the links of the mail that came. */
async function askAndRead(email: string) {
  expect((await askFor(email)).status).toBe(204)
  await drainJobs()
  const mail = (await linksOf(email)).at(-1)
  return mail && { gifts: mail.gifts.map(({ url }) => url), purchases: mail.purchases.map(({ url }) => url) }
}

async function give({ ctx, key }: TestOrganization, email: string, more: object = {}) {
  const { itemId } = await makeItem({ ctx, id: ctx.organizationId })
  const { status, body } = await callerOf(key).post('/v1/email-claims', { email, item_id: itemId, ...more })
  expect(status).toBe(201)
  return { id: body.id as string, url: body.claim_url as string }
}

test('one mail has the links of all open gifts and purchases of a mailbox, of all organizations, as they were', async () => {
  const [theirs, email] = [await makeOrganization(), `${newId()}@example.com`]
  const [ours, others] = [await give(mine, email), await give(theirs, email)]
  await give(mine, `${newId()}@example.com`)
  await connectCards(mine)
  const { id: listingId } = await makeListing(mine)
  const { body: purchase } = await buy(listingId, { buyer: { email } })
  const before = await mine.ctx.db.emailClaim.findFirstOrThrow({ where: { id: ours.id } })
  // What nobody has paid isn't listed: anybody may open it in somebody's name.
  expect(await askAndRead(email.toUpperCase())).toEqual({ gifts: [others.url, ours.url], purchases: [] })
  await pay(purchase.data)
  await deliverCardEvents()
  const found = await askAndRead(email)
  expect(found!.gifts).toEqual(expect.arrayContaining([others.url, ours.url]))
  expect(found!.purchases).toEqual([expect.stringMatching(new RegExp(`/p/${purchase.id}#${purchase.secret}$`))])
  expect(await mine.ctx.db.emailClaim.findFirstOrThrow({ where: { id: ours.id } })).toEqual(before)
  for (const { organizationId } of await linksOf(email)) expect(organizationId).toBeNull()
})

test('what is over, locked, suspended or of an organization whose mail is stopped is left out; then no mail is sent', async () => {
  const email = `${newId()}@example.com`
  const [revoked, locked, expiring] = [await give(mine, email), await give(mine, email), await give(mine, email)]
  await callerOf(mine.key).delete(`/v1/email-claims/${revoked.id}`)
  await mine.ctx.db.emailClaim.updateMany({ where: { id: locked.id }, data: { state: 'LOCKED' } })
  const [suspended, stopped] = [await makeOrganization(), await makeOrganization()]
  await give(suspended, email)
  await give(stopped, email)
  await suppressAddress(stopped.ctx, { email, reason: 'COMPLAINT', detail: 'Spam.' })
  await suspend(suspended)
  expect(await askAndRead(email)).toEqual({ gifts: [expiring.url], purchases: [] })
  moveClock(40 * DAY * 1000)
  expect((await askFor(email)).status).toBe(204)
  await drainJobs()
  expect(await linksOf(email)).toHaveLength(1)
})

const suspend = ({ id }: TestOrganization) =>
  systemClient().suspension.create({
    data: { id: newId(), organizationId: id, collectionId: null, reason: 'A test.', createdAt: new Date() },
  })

test('an address that was corrected gets no link any more, and the new one gets the new link', async () => {
  const [first, second] = [`${newId()}@example.com`, `${newId()}@example.com`]
  const claim = await give(mine, first)
  const { body } = await callerOf(mine.key).post(`/v1/email-claims/${claim.id}/resend`, { email: second })
  expect(await askAndRead(first)).toBeUndefined()
  expect(await askAndRead(second)).toEqual({ gifts: [body.claim_url], purchases: [] })
})

test('who asks learns nothing: the answer and its statements are the same for every mailbox', async () => {
  const { email } = await sendClaim(mine, {})
  const known = await countRoundTrips(() => askFor(email))
  const unknown = await countRoundTrips(() => askFor(`${newId()}@example.com`))
  expect([known.result.status, known.result.body]).toEqual([unknown.result.status, unknown.result.body])
  expect(known.roundTrips).toEqual(unknown.roundTrips)
})

test('a mailbox gets three mails an hour, and a client asks about ten mailboxes', async () => {
  const { email } = await sendClaim(mine, {})
  for (let at = 0; at < 5; at++) {
    expect((await askFor(email)).status).toBe(204)
    await drainJobs()
  }
  expect(await linksOf(email)).toHaveLength(3)
  moveClock(61 * 60_000)
  await askFor(email)
  await drainJobs()
  expect(await linksOf(email)).toHaveLength(4)

  const client = `203.0.113.${Math.ceil(Math.random() * 250)}`
  for (let at = 0; at < 10; at++) expect((await askFor(`${newId()}@example.com`, client)).status).toBe(204)
  expect(await askFor(`${newId()}@example.com`, client)).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
})
