import { expect, test } from 'vitest'
import { renderMail } from '../../lib/messaging/templates/render-mail.ts'
import type { TemplateType } from '../../lib/messaging/templates/mail-variables.ts'
import { VARIABLES } from '../../lib/messaging/templates/variables.ts'
import { SAMPLES } from '../support/mail-samples.ts'

const TYPES = Object.keys(SAMPLES) as TemplateType[]

test.each(TYPES)('%s: subject, text and HTML are filled in without leftover placeholders', async (type) => {
  const { subject, text, html } = await renderMail(type, SAMPLES[type])
  for (const part of [subject, text, html]) {
    expect(part).not.toMatch(/\{\{|\}\}|undefined|null\b/)
    expect(part.trim()).not.toBe('')
  }
  expect(text).not.toMatch(/\n{3,}/)
})

test.each(TYPES)('%s loads nothing from other hosts: no font, script or picture', async (type) => {
  const { html } = await renderMail(type, SAMPLES[type])
  const addresses = [...html.matchAll(/(?:src|href|url)\s*[=(]\s*["']?(https?:[^"')\s>]+)/g)].map(
    ([, address]) => address!,
  )
  for (const address of addresses) expect(address).toMatch(/^http:\/\/localhost:3000\//)
  expect(html).not.toMatch(/<script|@import|<link/i)
})

const BRAND = {
  logoUrl: 'http://localhost:3000/media/mail/logo.png',
  colour: '#ffd400',
  footer: 'Harbour Street 1',
  contactEmail: 'hello@museum.example',
  showsVitrine: false,
}

test('an organization’s own mails have its look, domain and contact; “via Vitrine” only where it is shown', async () => {
  const variables = { ...SAMPLES.REDEEM_NFT, organization_domain: 'museum.example' }
  const { html, text } = await renderMail('REDEEM_NFT', variables, BRAND)
  for (const part of [html, text]) {
    expect(part).toContain('museum.example')
    expect(part).toContain('hello@museum.example')
    expect(part).not.toContain('Vitrine')
  }
  expect(html).toContain(BRAND.logoUrl)
  expect((await renderMail('REDEEM_NFT', variables, { ...BRAND, showsVitrine: true })).html).toContain(
    'Sent via Vitrine.',
  )
})

test('mails that the platform writes look like the platform, whatever organization they are about', async () => {
  for (const type of ['MEMBER_INVITE', 'PROTECTED_CHANGE', 'SUSPENSION'] as const)
    expect(await renderMail(type, SAMPLES[type] as never, BRAND)).toEqual(
      await renderMail(type, SAMPLES[type] as never),
    )
})

test('an item title is escaped, and braces in it are not filled in', async () => {
  const { html, subject } = await renderMail('CLAIM_PINCODE', {
    ...SAMPLES.CLAIM_PINCODE,
    item_title: '<img src=x onerror=1> {{pin}}',
  })
  expect(html).toContain('&lt;img src=x onerror=1&gt; {{pin}}')
  expect(subject).toBe('048213 is your PIN for “<img src=x onerror=1> {{pin}}”')
})

test('without an expiry, a picture or a quantity their sentences are left out', async () => {
  const { text, html } = await renderMail('REDEEM_NFT', {
    ...SAMPLES.REDEEM_NFT,
    quantity: null,
    expires_on: null,
    image_url: null,
  })
  expect(text).not.toContain('It waits for you until')
  expect(text).not.toContain('pieces')
  expect(html).not.toContain('<img')
})

test.each(Object.keys(VARIABLES) as (keyof typeof VARIABLES)[])(
  '%s reads well without what may be missing',
  async (type) => {
    const missing = Object.fromEntries(
      VARIABLES[type].filter(({ optional }) => optional).map(({ name }) => [name, null]),
    )
    const { subject, text, html } = await renderMail(type, { ...SAMPLES[type], ...missing })
    for (const part of [subject, text, html]) expect(part).not.toMatch(/\{\{|\}\}|undefined|null\b|“”/)
    for (const part of [subject, text]) expect(part).not.toMatch(/\S( [.,]| {2,})/)
    expect(text).not.toMatch(/\n{3,}/)
  },
)

test('a refund that doesn’t go to a card says nothing of cards and banks', async () => {
  const { text } = await renderMail('REFUND', { ...SAMPLES.REFUND, to_card: null })
  expect(text).toContain('refunded')
  expect(text).not.toMatch(/card|bank/i)
})

test('a list makes one paragraph of each of its entries, escaped', async () => {
  const { text, html } = await renderMail('ALARM', SAMPLES.ALARM)
  expect(text.split('\n\n').filter((part) => part.includes('The card provider refused it.'))).toHaveLength(3)
  expect(html.match(/The card provider refused it\./g)).toHaveLength(3)
  expect(html).toContain('A mail &lt;could&gt; not be delivered.')
})

test('the sign-in link is unescaped in the text part, so that it can be copied', async () => {
  const { text } = await renderMail('SIGN_IN', SAMPLES.SIGN_IN)
  expect(text).toContain(SAMPLES.SIGN_IN.sign_in_url)
})
