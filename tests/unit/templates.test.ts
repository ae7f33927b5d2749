import { expect, test } from 'vitest'
import { renderMail } from '../../lib/messaging/templates/render-mail.ts'
import type { TemplateType, TemplateVariables } from '../../lib/messaging/templates/mail-variables.ts'
import { VARIABLES } from '../../lib/messaging/templates/variables.ts'

const head = { organization_name: 'Museum & Sons', item_title: '<script>alert(1)</script>', sender_name: null }
const ALARM_LINE = {
  title: 'A refund doesn’t go through.',
  detail: 'The card provider refused it.',
  since: '20 November 2026 at 12:00 UTC',
  until: null,
  to_do: 'It is tried again by itself.',
}
const LINK = {
  title: '<b>Moonflower</b>',
  organization_name: 'Museum & Sons',
  url: 'http://localhost:3000/claim/a_b-c',
  until: '20 December 2026',
  bought_on: null,
}
const SAMPLES: { [T in TemplateType]: TemplateVariables[T] } = {
  REDEEM_NFT: {
    ...head,
    claim_url: 'http://localhost:3000/claim/a_b-c',
    quantity: '3',
    expires_on: '20 December 2026',
    retry: null,
    from_holder: null,
    image_url: 'http://localhost:3000/media/x-full.webp',
  },
  CLAIM_PINCODE: { ...head, pin: '048213', minutes: '10' },
  CLAIMED_NFT: {
    ...head,
    claim_url: 'http://localhost:3000/claim/a_b-c',
    address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    network_name: 'Local',
    explorer_url: null,
    image_url: null,
  },
  RECEIPT: {
    ...head,
    amount: '19.99 USD',
    quantity: '2',
    paid_on: '20 November 2026',
    number: '0198c2f0-0000-7000-8000-000000000000',
    status_url: 'http://localhost:3000/p/0198c2f0-0000-7000-8000-000000000000#a_b-c',
    by_mail: 'yes',
    image_url: 'http://localhost:3000/media/x-full.webp',
  },
  REFUND: {
    ...head,
    amount: '1.99 USD',
    part: '1 of 3',
    reason: 'Somebody else got it on the chain.',
    to_card: 'yes',
    number: '0198c2f0-0000-7000-8000-000000000000',
    status_url: 'http://localhost:3000/p/0198c2f0-0000-7000-8000-000000000000#a_b-c',
    image_url: null,
  },
  CLAIM_REMINDER: {
    ...head,
    claim_url: 'http://localhost:3000/claim/a_b-c',
    quantity: '3',
    expires_on: '20 December 2026',
    image_url: 'http://localhost:3000/media/x-full.webp',
  },
  LINKS: {
    gifts: [LINK, { ...LINK, until: null }],
    purchases: [{ ...LINK, bought_on: '19 November 2026', url: 'http://localhost:3000/p/x#a_b-c' }],
    origin_host: 'localhost:3000',
  },
  SIGN_IN: {
    sign_in_url: 'http://localhost:3000/sign-in/confirm?token=1&email=a%40b.c',
    origin_host: 'localhost:3000',
    minutes: '60',
  },
  MEMBER_INVITE: {
    organization_name: 'Museum & Sons',
    inviter: 'ada@example.com',
    role: 'editor',
    sign_in_url: 'http://localhost:3000/join/a_b-c',
    days: '7',
  },
  WEBHOOK_DISABLED: {
    organization_name: 'Museum <Dawn>',
    webhook_name: 'Shop',
    webhook_url: 'https://shop.example.com/hooks',
    reason: 'Its receiver answered 410 Gone.',
    dashboard_url: 'http://localhost:3000/dashboard/webhooks/1',
  },
  SUSPENSION: {
    organization_name: 'Museum',
    what: 'The collection Dawn of Museum',
    reason: 'The pictures <belong> to somebody else.',
    lifted: null,
    operator_email: 'operator@example.org',
    dashboard_url: 'http://localhost:3000/dashboard',
  },
  ALARM: {
    headline: '2 new alarms, 1 over',
    opened: [ALARM_LINE, { ...ALARM_LINE, title: 'A mail <could> not be delivered.' }],
    ended: [{ ...ALARM_LINE, until: '20 November 2026 at 12:05 UTC', to_do: null }],
    more: '3',
    dashboard_url: 'http://localhost:3000/dashboard',
    reason: 'You get this mail since you are an owner of Museum & Sons.',
  },
  PROTECTED_CHANGE: {
    organization_name: 'Museum & Sons',
    change: 'The API key “Shop <1>” was made for LIVE networks.',
    changed_by: 'ada@example.com',
    dashboard_url: 'http://localhost:3000/dashboard/audit',
  },
  PASSKEY_CHANGE: {
    change: 'The passkey “Phone <1>” was added.',
    origin_host: 'localhost:3000',
    dashboard_url: 'http://localhost:3000/dashboard/settings/passkeys',
  },
  TEST: { organization_name: 'Museum & Sons', sent_at: '20 November 2026 at 12:00' },
}
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
