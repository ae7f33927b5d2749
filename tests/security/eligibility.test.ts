import { beforeAll, expect, test } from 'vitest'
import { call } from '../support/call.ts'
import { installFakeChain, makeRandomAddress } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { connectCards, makeListing } from '../support/selling.ts'

let organization: TestOrganization
beforeAll(async () => {
  installFakeChain()
  organization = await makeOrganization()
  await connectCards(organization)
})

const ask = (listing: { id: string }, client: string, buyer: string) =>
  call('GET', `/public/v1/listings/redemption-eligibility?listing_id=${listing.id}${buyer}`, {
    headers: { 'x-client-address': client },
  })
const emails = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `&email_address=guess-${from + at}@example.com`)
const statuses = async (answers: ReturnType<typeof ask>[]) =>
  (await Promise.all(answers)).map(({ status }) => status).sort()

test('one client asks about at most 20 different emails an hour, then gets 429 with Retry-After', async () => {
  const listing = await makeListing(organization, {
    policy: { type: 'ALLOW_LIST', email_addresses: ['guess-25@example.com'] },
  })
  const client = '192.0.2.1'
  for (const email of emails(0, 20)) expect((await ask(listing, client, email)).status).toBe(200)
  for (const email of [...emails(20, 40), ...emails(20, 40)]) {
    const refused = await ask(listing, client, email)
    expect([refused.status, refused.body.code, refused.body.is_eligible]).toEqual([429, 'rate_limited', undefined])
    const seconds = Number(refused.headers.get('retry-after'))
    expect(seconds > 0 && seconds <= 3600).toBe(true)
  }
  expect((await ask(listing, client, emails(3, 4)[0]!)).status).toBe(200)
  expect((await ask(listing, client, '')).status).toBe(200)
  expect((await ask(listing, client, `&eth_address=${makeRandomAddress()}`)).status).toBe(200)
  expect((await ask(listing, '192.0.2.2', emails(25, 26)[0]!)).body).toMatchObject({ is_eligible: true })
})

test('addresses of one IPv6 network and questions at once share the limit', async () => {
  const listing = await makeListing(organization)
  const answers = emails(100, 140).map((email, at) => ask(listing, `2001:db8:7:7::${at + 1}`, email))
  expect(await statuses(answers)).toEqual([...Array(20).fill(200), ...Array(20).fill(429)])
})

test('another spelling of an email in capitals is the same email', async () => {
  const listing = await makeListing(organization)
  for (let at = 0; at < 30; at++) {
    const email = at % 2 ? 'ADA@example.com' : 'ada@Example.com'
    expect((await ask(listing, '192.0.2.3', `&email_address=${email}`)).status).toBe(200)
  }
})
