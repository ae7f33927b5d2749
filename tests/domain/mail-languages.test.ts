import { beforeAll, expect, test } from 'vitest'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { remindClaims } from '../../lib/giving/remind-claims.ts'
import { DAY, moveClock, resetClock, secondsFrom } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { call, callerOf } from '../support/call.ts'
import { installFakeChain, makeItem } from '../support/claims.ts'
import { drainJobs } from '../support/jobs.ts'
import { type Mailbox, startMailbox } from '../support/mailbox.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { buy, connectCards, deliverCardEvents, makeListing, pay } from '../support/selling.ts'

let mine: TestOrganization
let api: ReturnType<typeof callerOf>
let mailbox: Mailbox
beforeAll(async () => {
  resetClock()
  installFakeChain()
  mailbox = await startMailbox()
  mine = await makeOrganization({ name: 'Museum' })
  api = callerOf(mine.key)
})

async function give(more: object = {}) {
  const { itemId } = await makeItem(mine)
  const { status, body } = await api.post('/v1/email-claims', {
    email: `${newId()}@example.com`,
    item_id: itemId,
    ...more,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body as { id: string; email: string; claim_url: string }
}
const put = (path: string, body: object) => call('PUT', path, { key: mine.key, body })
const publicly = ({ claim_url }: { claim_url: string }, method: 'PUT' | 'POST', path: string, body?: object) =>
  call(method, `/public/v1/email-claims/${claim_url.split('/').at(-1)}/${path}`, { body })
async function mailsTo(email: string) {
  await mailbox.deliver(email)
  return mailbox.mailsTo(email)
}
const newestTo = async (email: string) => (await mailsTo(email)).at(-1)!

test('a gift is mailed in the claim’s language, else its campaign’s, else the organization’s, else in English', async () => {
  const german = await newestTo((await give({ locale: 'de' })).email)
  expect(german.subject).toBe('Museum schenkt Ihnen „Moonflower“')
  expect(german.html).toContain('<html lang="de"')
  expect(german.html).toContain('Ansehen')
  expect(german.text).toMatch(/Es wartet bis zum \d+\. \p{L}+ \d{4} auf Sie\./u)
  const { body: campaign } = await api.post('/v1/marketing-campaigns', { name: newId(), locale: 'fr' })
  expect((await newestTo((await give({ campaign_id: campaign.id })).email)).subject).toContain('vous offre')
  expect((await newestTo((await give()).email)).subject).toBe('Museum sent you “Moonflower”')
  const theirs = await makeOrganization({ name: 'Casa' })
  await theirs.ctx.db.organization.update({ where: { id: theirs.id }, data: { locale: 'es' } })
  const { itemId } = await makeItem(theirs)
  const email = `${newId()}@example.com`
  await callerOf(theirs.key).post('/v1/email-claims', { email, item_id: itemId })
  expect((await newestTo(email)).subject).toBe('Casa le envía «Moonflower»')
})

test('what the recipient chose on the page is the language of the PIN, of the link sent again and of the reminder', async () => {
  const claim = await give({ locale: 'de', expiration: secondsFrom(mine.ctx.now(), 10 * DAY) })
  await publicly(claim, 'PUT', 'locale', { locale: 'ja' })
  await publicly(claim, 'POST', 'verify')
  expect((await newestTo(claim.email)).subject).toMatch(/^\d{6}は「Moonflower」のPINです$/)
  await api.post(`/v1/email-claims/${claim.id}/resend`, {})
  expect((await newestTo(claim.email)).subject).toBe('Museumから「Moonflower」が届いています')
  moveClock(8 * DAY * 1000)
  await remindClaims(systemContext('test'))
  expect((await newestTo(claim.email)).subject).toMatch(/^「Moonflower」は\d{4}年\d+月\d+日までお受け取りいただけます$/)
  resetClock()
})

test('an Arabic mail says at each level that it runs from right to left', async () => {
  const { html, subject } = await newestTo((await give({ locale: 'ar' })).email)
  expect(subject).toContain('«Moonflower»')
  expect(html).toContain('<html lang="ar" dir="rtl"')
  expect(html).toMatch(/<div[^>]* lang="ar" dir="rtl"/)
  expect(html).toContain('direction:rtl')
  expect(html).not.toMatch(/direction:ltr|<td align="left"/)
  expect(html).toMatch(/text-align:right/)
})

test('a receipt has amounts and days as the buyer’s language writes them', async () => {
  await connectCards(mine)
  const { id } = await makeListing(mine, { price: 199900, currency: 'EUR' })
  const email = `${newId()}@example.com`
  const { body } = await buy(id, { locale: 'de', buyer: { email } })
  await pay(body.data)
  await deliverCardEvents()
  await drainJobs()
  const receipt = (await mailsTo(email)).find(({ subject }) => subject?.startsWith('Ihr Beleg'))!
  expect(receipt.text!.replaceAll('\u00a0', ' ')).toContain('1.999,00 €')
  expect(receipt.text).toMatch(/Sie haben am \d+\. \p{L}+ \d{4} bei Museum „Moonflower“ gekauft/u)
  expect((await mailsTo(email)).map(({ subject }) => subject)).toContain('Museum schenkt Ihnen „Moonflower“')
})

test('links that are mailed again follow who asks, else the newest claim', async () => {
  const claim = await give({ locale: 'pl' })
  const ask = async (body: object) => {
    await call('POST', '/public/v1/link-mails', { body: { email: claim.email, ...body } })
    await drainJobs()
    return newestTo(claim.email)
  }
  const polish = await ask({})
  expect(polish.subject).toBe('Twoje prezenty i zakupy')
  expect(polish.text).toMatch(/„Moonflower”, od Museum\. Czeka do \d+ \p{L}+ \d{4}:/u)
  expect((await ask({ locale: 'ko' })).subject).toBe('내 선물과 구매 내역')
})

test('a variant of a template is for its language, and the default for all others', async () => {
  const words = (subject: string) => ({ subject, blocks: [{ type: 'BUTTON', label: 'Go', url: '{{claim_url}}' }] })
  const path = '/v1/email-templates/REDEEM_NFT'
  expect((await put(path, words('Default {{item_title}}'))).body).toMatchObject({ locale: null, variants: [] })
  const { body } = await put(`${path}?locale=de-CH`, words('Deutsch {{item_title}}'))
  expect(body).toMatchObject({ locale: 'de', source: 'ORGANIZATION', version: 1, variants: ['de'] })
  expect((await newestTo((await give({ locale: 'de' })).email)).subject).toBe('Deutsch Moonflower')
  expect((await newestTo((await give({ locale: 'de' })).email)).html).toContain('Wenn die Schaltfläche nichts tut')
  expect((await newestTo((await give({ locale: 'it' })).email)).subject).toBe('Default Moonflower')
  // A campaign's default comes before the organization's variant.
  const { body: campaign } = await api.post('/v1/marketing-campaigns', { name: newId() })
  await put(`${path}?campaign_id=${campaign.id}`, words('Campaign {{item_title}}'))
  const inCampaign = await give({ locale: 'de', campaign_id: campaign.id })
  expect((await newestTo(inCampaign.email)).subject).toBe('Campaign Moonflower')
  expect((await api.delete(`${path}?locale=de`)).status).toBe(204)
  expect((await newestTo((await give({ locale: 'de' })).email)).subject).toBe('Default Moonflower')
  expect((await api.delete(path)).status).toBe(204)
})

test('a variant without its link, or in a language that nobody knows, is refused as templates are', async () => {
  const path = '/v1/email-templates/REDEEM_NFT'
  const blocks = [{ type: 'TEXT', text: 'Hallo' }]
  const { status, body } = await put(`${path}?locale=de`, { subject: 'Hallo', blocks })
  expect([status, body.code]).toEqual([422, 'template_invalid'])
  const unknown = await put(`${path}?locale=xx`, { subject: 'Hallo', blocks })
  expect([unknown.status, unknown.body.errors[0].field]).toEqual([400, 'locale'])
})

test('a preview has the built-in words and samples of its language', async () => {
  const preview = async (locale: string) =>
    (await api.post(`/v1/email-templates/CLAIM_REMINDER/preview?locale=${locale}`, {})).body
  expect((await preview('de')).subject).toBe('„Moonflower“ wartet bis zum 20. Dezember 2026 auf Sie')
  expect((await preview('pl')).text).toContain('3 egzemplarze cyfrowego')
  expect((await preview('en')).subject).toBe('“Moonflower” waits for you until 20 December 2026')
})
