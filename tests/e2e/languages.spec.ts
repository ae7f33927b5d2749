import fs from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { createTranslator } from 'use-intl/core'
import type en from '../../messages/en.json'
import { dirOf, type Locale, LOCALES } from '../../lib/core/locales.ts'
import { amountOf } from '../../lib/core/money.ts'
import { expectAccessible } from './support/axe.ts'
import { admin, ownersOf, pinFor, sendGift } from './support/gift.ts'
import { lookAround } from './support/look.ts'
import { freeOffer, offer } from './support/selling.ts'
import { mailTo } from './support/stack.ts'
import { expect, test } from './support/test.ts'

const root = path.resolve(import.meta.dirname, '../..')
const address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

function textsOf(locale: Locale) {
  const messages = JSON.parse(fs.readFileSync(path.join(root, `messages/${locale}.json`), 'utf8')) as typeof en
  return createTranslator({ locale, messages })
}

const expectLanguage = async (page: Page, locale: Locale) => {
  await expect(page.locator('html')).toHaveAttribute('lang', locale)
  await expect(page.locator('html')).toHaveAttribute('dir', dirOf(locale))
}

/** Nothing is wider than the screen; what is, is named. */
const expectFits = async (page: Page) => {
  const tooWide = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const outside = [...document.querySelectorAll('body *')].filter((element) => {
      const { left, right, width } = element.getBoundingClientRect()
      return width > 0 && (right > clientWidth || left < 0)
    })
    return outside.map(({ tagName, className, textContent }) => `${tagName} ${className} ${textContent}`)
  })
  expect(tooWide).toEqual([])
}

async function claimIn(page: Page, locale: Locale, look: (page: Page) => Promise<void>): Promise<void> {
  const t = textsOf(locale)
  const gift = await sendGift({ locale, title: locale === 'ar' ? 'حمامة النهر' : 'The Night Heron' })
  const asked = new Date()
  await page.goto(gift.url)
  await expectLanguage(page, locale)
  await expect(page.getByRole('heading', { name: t('claim.start.title') })).toBeVisible()
  await look(page)
  await page.getByRole('button', { name: t('claim.start.send') }).click()
  await expect(page.getByRole('heading', { name: t('claim.pin.title') })).toBeVisible()
  await look(page)
  await page.getByLabel(t('claim.pin.label'), { exact: true }).fill(await pinFor(gift.email, asked))
  await expect(page.getByRole('heading', { name: t('claim.place.title') })).toBeVisible()
  await look(page)
  await page.getByRole('button', { name: new RegExp(t('claim.place.paste')) }).click()
  await page.getByLabel(t('wallet.address.label'), { exact: true }).fill(address.slice(0, -1))
  await page.getByRole('button', { name: t('wallet.address.send') }).click()
  await expect(page.getByText(t('wallet.address.length', { count: 39 }))).toBeVisible()
  await look(page)
  await page.getByLabel(t('wallet.address.label'), { exact: true }).fill(address)
  await page.getByRole('button', { name: t('wallet.address.send') }).click()
  await expect(page.getByText(t('claim.delivery.stops.yoursHint'))).toBeVisible({ timeout: 60_000 })
  await look(page)
  await expect.poll(() => ownersOf(gift.itemId)).toEqual([address])
}

test('a claim in Arabic runs from right to left, and its steps are accessible', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 664 })
  await claimIn(page, 'ar', async () => {
    await expectFits(page)
    await expectAccessible(page)
  })
})

/** A narrow phone of somebody who reads text twice as large. */
async function takeNarrowPhone(page: Page): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.addInitScript(() => {
    document.addEventListener('DOMContentLoaded', () => (document.documentElement.style.fontSize = '200%'))
  })
}

test('a claim in German fits 320 pixels with text twice as large', async ({ page }) => {
  await takeNarrowPhone(page)
  await claimIn(page, 'de', expectFits)
})

const idOfPurchase = (page: Page) => /\/p\/([0-9a-f-]{36})/.exec(page.url())![1]!
const localeOfPurchase = async (id: string) =>
  (await admin<{ locale: string | null }>('GET', `/purchase-intents/${id}`)).locale

/** Buys with a card, up to the purchase's page. Answers the mailbox of the buyer. */
async function buyIn(page: Page, locale: Locale, look: (page: Page) => Promise<void>): Promise<string> {
  const t = textsOf(locale)
  const total = amountOf('1500', 'EUR', 2, locale)
  const sold = await offer({ title: locale === 'ar' ? 'حمامة النهر' : 'The Night Heron' })
  const email = `buyer-${sold.id}@example.com`
  await page.goto(`${sold.url}?lang=${locale}`)
  await expectLanguage(page, locale)
  await look(page)
  await page.getByLabel(t('checkout.email.label')).fill(email)
  await page.getByRole('button', { name: t('checkout.continueToPayment', { total }) }).click()
  await expect(page.getByRole('heading', { name: t('purchase.step.pay', { total }) })).toBeVisible()
  await expectLanguage(page, locale)
  await look(page)
  await page.getByText(t('purchase.card.tests.title')).click()
  await page.getByRole('button', { name: t('purchase.card.tests.declined') }).click()
  await page.getByRole('button', { name: t('purchase.step.pay', { total }) }).click()
  await expect(page.getByText(t('purchase.card.refused.declined'))).toBeVisible()
  await look(page)
  await page.getByRole('button', { name: t('purchase.card.tests.passes') }).click()
  await page.getByRole('button', { name: t('purchase.step.pay', { total }) }).click()
  await expect(page.getByRole('heading', { name: t('purchase.step.mailbox.title') })).toBeVisible({ timeout: 60_000 })
  await page.getByText(t('purchase.details.title'), { exact: true }).click()
  await look(page)
  return email
}

test('a checkout in Arabic runs from right to left, and its steps are accessible', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 664 })
  await buyIn(page, 'ar', async () => {
    await expectFits(page)
    await expectAccessible(page)
  })
})

test('a checkout in German fits 320 pixels with text twice as large', async ({ page }) => {
  await takeNarrowPhone(page)
  await buyIn(page, 'de', expectFits)
})

test('what is bought on a German page is paid in “15,00 €”, and its receipt is German', async ({ page }) => {
  const email = await buyIn(page, 'de', async () => {
    await expect(page.getByText('15,00 €', { exact: true }).first()).toBeVisible()
  })
  expect(await localeOfPurchase(idOfPurchase(page))).toBe('de')
  const receipt = await mailTo(email, /^Ihr Beleg/)
  expect(receipt.text.replace(/\s/g, ' ')).toContain('15,00 €')
})

/** Chooses a language in the page's footer. */
const choose = (page: Page, name: string, locale: Locale) =>
  expect(async () => {
    if (!(await page.getByRole('button', { name }).isVisible())) await page.locator('footer summary').click()
    await page.getByRole('button', { name }).click({ timeout: 5_000 })
    await expectLanguage(page, locale)
  }).toPass()

test('a language chosen on a purchase’s page keeps its link, is told to the purchase and holds in another browser', async ({
  page,
  browser,
}) => {
  const sold = await freeOffer('EMAIL_CLAIM')
  await page.goto(sold.url)
  await page.getByLabel('Your email').fill(`reader-${sold.id}@example.com`)
  await page.getByRole('button', { name: 'Send it to my mailbox' }).click()
  await expect(page.getByRole('heading', { name: 'It waits in your mailbox' })).toBeVisible({ timeout: 60_000 })
  const url = page.url()
  await choose(page, 'Italiano', 'it')
  await expect(page).toHaveURL(url)
  await expect(page.getByRole('heading', { name: textsOf('it')('purchase.step.mailbox.title') })).toBeVisible()
  expect(await localeOfPurchase(idOfPurchase(page))).toBe('it')

  const other = await (await browser.newContext({ locale: 'fr-FR' })).newPage()
  await other.goto(url)
  await expectLanguage(other, 'it')
  await expect(other.getByRole('heading', { name: textsOf('it')('purchase.step.mailbox.title') })).toBeVisible()
  expect(new URL(other.url()).hash).toBe(new URL(url).hash)
  await other.context().close()
})

test('without script an order and its page are in the language chosen, which the purchase is told', async ({
  browser,
}) => {
  const page = await (await browser.newContext({ javaScriptEnabled: false, locale: 'nl-BE' })).newPage()
  const given = await freeOffer('EMAIL_CLAIM')
  await page.goto(given.url)
  await expectLanguage(page, 'nl')
  await page.getByRole('textbox', { name: textsOf('nl')('checkout.email.label') }).fill(`nl-${given.id}@example.com`)
  await page.getByRole('button', { name: textsOf('nl')('checkout.email.send') }).click()
  await expect(page.getByRole('heading', { name: textsOf('nl')('purchase.step.mailbox.title') })).toBeVisible()
  expect(await localeOfPurchase(idOfPurchase(page))).toBe('nl')
  await page.locator('footer summary').click()
  await page.getByRole('button', { name: 'Polski' }).click()
  await expectLanguage(page, 'pl')
  await expect(page.getByRole('heading', { name: textsOf('pl')('purchase.step.mailbox.title') })).toBeVisible()
  expect(await localeOfPurchase(idOfPurchase(page))).toBe('pl')
  await page.context().close()
})

test('an embedded checkout keeps the language in its address, up to the purchase', async ({ page }) => {
  const sold = await offer({
    translations: { ko: { title: '밤의 왜가리', description: '손으로 그렸습니다.' } },
  })
  await page.goto(`${sold.url}?embed=1`)
  await choose(page, '한국어', 'ko')
  expect(new URL(page.url()).search).toBe('?embed=1&lang=ko')
  await expect(page.getByRole('heading', { level: 1, name: '밤의 왜가리' })).toBeVisible()
  const t = textsOf('ko')
  const total = amountOf('1500', 'EUR', 2, 'ko')
  await page.getByLabel(t('checkout.email.label')).fill(`ko-${sold.id}@example.com`)
  await page.getByRole('button', { name: t('checkout.continueToPayment', { total }) }).click()
  await expect(page.getByRole('heading', { name: t('purchase.step.pay', { total }) })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: '밤의 왜가리' })).toBeVisible()
  expect(new URL(page.url()).search).toBe('?embed=1&lang=ko')
})

test('the address wins over the choice, the choice over the gift’s language, that over the browser’s', async ({
  browser,
}) => {
  const page = await (await browser.newContext({ locale: 'fr-CA' })).newPage()
  const plain = await sendGift()
  await page.goto(plain.url)
  await expectLanguage(page, 'fr')
  const { url } = await sendGift({ locale: 'pl' })
  await page.goto(url)
  await expectLanguage(page, 'pl')
  for (const [query, locale] of [
    ['lang=xx', 'pl'],
    ['lang=', 'pl'],
    ['lang=xx&lang=ja&lang=de', 'ja'],
    ['lang=de&lang=ja', 'de'],
  ] as const) {
    await page.goto(`${url}?${query}`)
    await expectLanguage(page, locale)
  }
  // Chosen on a page whose address asks for another.
  await expect(async () => {
    if (!(await page.getByRole('button', { name: '한국어' }).isVisible())) await page.locator('footer summary').click()
    await page.getByRole('button', { name: '한국어' }).click({ timeout: 5_000 })
    await expectLanguage(page, 'ko')
  }).toPass()
  expect(new URL(page.url()).search).toBe('')
  await page.goto(plain.url)
  await expectLanguage(page, 'ko')
  await page.goto('/claims')
  await expect(page.getByRole('heading', { name: textsOf('ko')('links.title') })).toBeVisible()
  await page.context().close()
})

test('the language is chosen without script, and mails follow it', async ({ browser }) => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  const { url } = await sendGift()
  await page.goto(url)
  await page.locator('footer summary').click()
  await page.getByRole('button', { name: 'Italiano' }).click()
  await expectLanguage(page, 'it')
  await page.context().close()
  // In another browser the gift itself says so.
  const other = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  await other.goto(url)
  await expectLanguage(other, 'it')
  await other.context().close()
})

test('an Arabic title on a Japanese page keeps its own direction', async ({ page }) => {
  const gift = await sendGift({ locale: 'ja', title: 'حمامة النهر' })
  await page.goto(gift.url)
  await expectLanguage(page, 'ja')
  const heading = page.getByRole('heading', { level: 1, name: gift.title })
  await expect(heading.locator('bdi')).toHaveCSS('direction', 'rtl')
  await expect(heading).toHaveCSS('direction', 'ltr')
})

test('a gift is named in the language of its page where its title is translated', async ({ page }) => {
  const gift = await sendGift({
    translations: { de: { title: 'Der Nachtreiher', description: 'Von Hand gezeichnet.' } },
  })
  await page.goto(`${gift.url}?lang=de`)
  await expect(page.getByRole('heading', { level: 1, name: 'Der Nachtreiher' })).toBeVisible()
  await expect(page.getByText('Von Hand gezeichnet.')).toBeVisible()
  await page.goto(`${gift.url}?lang=fr`)
  await expect(page.getByRole('heading', { level: 1, name: gift.title })).toBeVisible()
})

test('a link that nobody knows is explained in the browser’s language', async ({ browser }) => {
  const page = await (await browser.newContext({ locale: 'es-MX' })).newPage()
  await page.goto('/claim/nothing-like-a-token')
  await expectLanguage(page, 'es')
  await expect(page.getByRole('heading', { name: textsOf('es')('claim.closed.unknown.title') })).toBeVisible()
  await page.context().close()
})

/** `npm run screenshots` takes pictures in every language. Otherwise those are looked at whose layout differs most. */
const LOOKED_AT: readonly Locale[] = process.env.SCREENSHOTS ? LOCALES : ['de', 'ja', 'ar']

for (const locale of LOOKED_AT)
  test(`the claim in ${locale} has nothing too wide, cut off or broken`, async ({ page }) => {
    test.setTimeout(120_000)
    await page.goto((await sendGift({ locale })).url)
    await expectLanguage(page, locale)
    await lookAround(page, `claim ${locale}`)
  })

for (const locale of LOOKED_AT)
  test(`the checkout in ${locale} has nothing too wide, cut off or broken`, async ({ page }) => {
    test.setTimeout(120_000)
    await page.goto(`${(await offer()).url}?lang=${locale}`)
    await expectLanguage(page, locale)
    await lookAround(page, `checkout ${locale}`)
  })
