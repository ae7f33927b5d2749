import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../lib/core/id.ts'
import { call, callerOf } from '../support/call.ts'
import { installFakeChain, makeItem } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { buy, connectCards, makeListing, readPurchase } from '../support/selling.ts'

let mine: TestOrganization
let api: ReturnType<typeof callerOf>
beforeAll(async () => {
  installFakeChain()
  mine = await makeOrganization()
  api = callerOf(mine.key)
  await connectCards(mine)
})

const give = async (more: object = {}) =>
  api.post('/v1/email-claims', {
    email: `${newId()}@example.com`,
    item_id: (await makeItem(mine)).itemId,
    ...more,
  })
const wrong = ({ status, body }: Awaited<ReturnType<typeof give>>) => [
  status,
  body.code,
  body.errors?.map(({ field }: { field: string }) => field),
]
const tokenOf = ({ claim_url }: { claim_url: string }) => claim_url.split('/').at(-1)!
const viewOf = (claim: { claim_url: string }) => call('GET', `/public/v1/email-claims/${tokenOf(claim)}`)
const choose = (claim: { claim_url: string }, locale: string) =>
  call('PUT', `/public/v1/email-claims/${tokenOf(claim)}/locale`, { body: { locale } })

test('a claim keeps the nearest language that we speak, and shows it', async () => {
  for (const [given, kept] of [
    ['de-AT', 'de'],
    ['pt', 'pt-BR'],
    ['zh-CN', 'zh-Hans'],
    ['AR', 'ar'],
  ]) {
    const { status, body } = await give({ locale: given })
    expect([status, body.locale], given).toEqual([201, kept])
    expect((await api.get(`/v1/email-claims/${body.id}`)).body.locale).toBe(kept)
  }
  expect((await give()).body.locale).toBeNull()
})

test('a language that nobody knows, or that we don’t speak, is refused with its field', async () => {
  for (const locale of ['xx', 'sv', 'english please', '!!'])
    expect(wrong(await give({ locale })), locale).toEqual([400, 'invalid_request', ['locale']])
  const campaign = await api.post('/v1/marketing-campaigns', { name: newId(), locale: 'xx' })
  expect(wrong(campaign)).toEqual([400, 'invalid_request', ['locale']])
  expect(wrong(await api.patch(`/v1/organizations/${mine.id}`, { locale: 'xx' }))).toEqual([
    400,
    'invalid_request',
    ['locale'],
  ])
  const { id } = await makeListing(mine)
  expect(wrong(await buy(id, { locale: 'xx' }))).toEqual([400, 'invalid_request', ['locale']])
})

test('claims made in bulk have a language each, and a wrong one fails alone', async () => {
  const item_id = (await makeItem(mine, { maxSupply: null })).itemId
  const { body } = await api.post('/v1/email-claims/bulk', {
    claims: ['ja', 'xx', null].map((locale) => ({ email: `${newId()}@example.com`, item_id, locale })),
  })
  expect(
    body.results.map((line: { status: number; claim: { locale: string | null } | null }) => [
      line.status,
      line.claim?.locale,
    ]),
  ).toEqual([
    [201, 'ja'],
    [400, undefined],
    [201, null],
  ])
})

test('campaigns and organizations have a language, which null clears', async () => {
  const { body: campaign } = await api.post('/v1/marketing-campaigns', { name: newId(), locale: 'fr-CA' })
  expect(campaign.locale).toBe('fr')
  const path = `/v1/marketing-campaigns/${campaign.id}`
  expect((await api.patch(path, { reminder_days: 5 })).body.locale).toBe('fr')
  expect((await api.patch(path, { locale: null })).body.locale).toBeNull()
  expect((await api.get(path)).body.locale).toBeNull()
  const own = `/v1/organizations/${mine.id}`
  expect((await api.patch(own, { locale: 'nl-BE' })).body.locale).toBe('nl')
  expect((await api.get(own)).body.locale).toBe('nl')
  expect((await api.patch(own, { locale: null })).body.locale).toBeNull()
})

test('a link shows its claim’s language, else its campaign’s', async () => {
  const { body: campaign } = await api.post('/v1/marketing-campaigns', { name: newId(), locale: 'it' })
  const { body: claim } = await give({ campaign_id: campaign.id })
  expect((await viewOf(claim)).body.locale).toBe('it')
  const { body: other } = await give({ campaign_id: campaign.id, locale: 'pl' })
  expect((await viewOf(other)).body.locale).toBe('pl')
})

test('what a recipient chooses takes the place of what was given, and choosing it again changes nothing', async () => {
  const { body: claim } = await give({ locale: 'de' })
  const row = () => mine.ctx.db.emailClaim.findFirstOrThrow({ where: { id: claim.id } })
  expect((await choose(claim, 'ar-EG')).status).toBe(204)
  expect((await viewOf(claim)).body.locale).toBe('ar')
  const { updatedAt } = await row()
  expect((await choose(claim, 'ar')).status).toBe(204)
  expect((await row()).updatedAt).toEqual(updatedAt)
  expect(wrong(await choose(claim, 'xx'))).toEqual([400, 'invalid_request', ['locale']])
  expect((await api.get(`/v1/email-claims/${claim.id}`)).body.locale).toBe('ar')
})

test('a replaced link chooses no language for the new one', async () => {
  const { body: claim } = await give({ locale: 'de' })
  await api.post(`/v1/email-claims/${claim.id}/resend`, { email: `${newId()}@example.com` })
  await choose(claim, 'fr')
  expect((await viewOf(claim)).body).toMatchObject({ inactive_reason: 'REPLACED', locale: null })
  expect((await api.get(`/v1/email-claims/${claim.id}`)).body.locale).toBe('de')
})

test('a purchase keeps its buyer’s language, and its secret changes it, with that of its claims', async () => {
  const free = await makeListing(mine, { price: 0, payment_providers: ['EMAIL_CLAIM'] })
  const { body: bought } = await buy(free.id, { locale: 'es-MX', buyer: { email: `${newId()}@example.com` } })
  expect(bought.locale).toBe('es')
  const { id: listingId } = await makeListing(mine)
  const { body: paid } = await buy(listingId, { locale: 'ko', buyer: { email: `${newId()}@example.com` } })
  expect((await readPurchase(paid)).locale).toBe('ko')
  const path = `/public/v1/purchase-intents/${bought.id}/locale`
  expect((await call('PUT', path, { body: { locale: 'pl' } })).status).toBe(404)
  const unknown = await call('PUT', `${path}?secret=${bought.secret}`, { body: { locale: 'xx' } })
  expect([unknown.status, unknown.body.errors[0].field]).toEqual([400, 'locale'])
  expect((await call('PUT', `${path}?secret=${bought.secret}`, { body: { locale: 'pl' } })).status).toBe(204)
  const seen = await api.get(`/v1/purchase-intents/${bought.id}`)
  expect(seen.body.locale).toBe('pl')
  expect((await api.get(`/v1/email-claims/${seen.body.email_claim_ids[0]}`)).body.locale).toBe('pl')
})

test('a line of a file names its language, and an unknown one is a fault of the line', async () => {
  const { itemId } = await makeItem(mine)
  const check = async (csv: string[]) => {
    const { body } = await api.post('/v1/email-claims/import', { item_id: itemId, csv: csv.join('\n') })
    return body.rows as { verdict: string; reasons: string[] }[]
  }
  const [good, bad] = await check(['email,language', `${newId()}@example.com,fr`, `${newId()}@example.com,xx`])
  expect(good).toMatchObject({ verdict: 'OK' })
  expect(bad!.verdict).toBe('INVALID')
  expect(bad!.reasons[0]).toMatch(/^language: This language isn’t spoken here\. Give one of en, de, /)
})
