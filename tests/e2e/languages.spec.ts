import fs from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { createTranslator } from 'use-intl/core'
import type en from '../../messages/en.json'
import { dirOf, type Locale, LOCALES } from '../../lib/core/locales.ts'
import { expectAccessible } from './support/axe.ts'
import { collection, ownersOf, pinFor, sendGift } from './support/gift.ts'
import { lookAround } from './support/look.ts'
import { buyer } from './support/selling.ts'
import { stack } from './support/stack.ts'
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

test('a claim in German fits 320 pixels with text twice as large', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.addInitScript(() => {
    document.addEventListener('DOMContentLoaded', () => (document.documentElement.style.fontSize = '200%'))
  })
  await claimIn(page, 'de', expectFits)
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

test('public pages and the front page are written in Arabic and German, and fit a narrow phone', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  const { itemId } = await sendGift({ title: 'حمامة النهر' })
  const { id: collectionId } = await collection()
  for (const locale of ['ar', 'de'] as const) {
    const t = textsOf(locale)
    for (const [path, heading] of [
      [`/i/${itemId}`, t('published.item.history')],
      [`/c/${collectionId}`, t('published.collection.items')],
      [`/o/${buyer}`, t('published.owner.title')],
      ['/', t('home.title')],
    ] as const) {
      await page.goto(`${path}?lang=${locale}`)
      await expectLanguage(page, locale)
      await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible()
      await expectFits(page)
      await expectAccessible(page)
    }
  }
})

test('search engines find a public page in each language, and caches keep none', async ({ page }) => {
  const { itemId } = await sendGift({
    translations: { de: { title: 'Der Nachtreiher', description: 'Von Hand gezeichnet.' } },
  })
  const url = `${stack().origin}/i/${itemId}`
  for (const [query, canonical, title] of [
    ['', url, 'The Night Heron'],
    ['?lang=de', `${url}?lang=de`, 'Der Nachtreiher'],
    ['?lang=xx', url, 'The Night Heron'],
    ['?lang=xx&lang=de-AT', `${url}?lang=de`, 'Der Nachtreiher'],
  ] as const) {
    const response = await page.goto(url + query)
    expect(response!.headers()['cache-control']).toContain('no-store')
    await expect(page).toHaveTitle(`${title} · Vitrine`)
    await expect(page.locator('link[rel="canonical"]')).toHaveAttribute('href', canonical)
    const alternates = await page
      .locator('link[rel="alternate"][hreflang]')
      .evaluateAll((links) => links.map((link) => [link.getAttribute('hreflang'), link.getAttribute('href')]))
    expect(alternates).toEqual([...LOCALES.map((locale) => [locale, `${url}?lang=${locale}`]), ['x-default', url]])
  }
  const data = await page.locator('script[type="application/ld+json"]').textContent()
  expect(JSON.parse(data!)).toMatchObject({ name: 'Der Nachtreiher', mainEntityOfPage: { inLanguage: 'de' } })
  // Its picture has the title of the language, too; in a language that nobody knows there is none.
  const picture = await page.locator('meta[property="og:image"]').getAttribute('content')
  expect(picture).toContain(`i-${itemId}.de.png`)
  expect((await fetch(picture!)).status).toBe(200)
  expect((await fetch(picture!.replace('.de.', '.xx.'))).status).toBe(404)
})

test('the preview of a gift’s link speaks the recipient’s language', async ({ page }) => {
  for (const locale of ['pl', 'ja'] as const) {
    await page.goto((await sendGift({ locale })).url)
    const meta = (name: string) => page.locator(`meta[property="${name}"]`).getAttribute('content')
    expect(await meta('og:description')).toBe(textsOf(locale)('published.gift.lead'))
    expect((await fetch((await meta('og:image'))!)).status).toBe(200)
  }
})

test('an Arabic title on a Japanese public page keeps its own direction, and its language is changed without script', async ({
  browser,
}) => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  const { itemId, title } = await sendGift({ title: 'حمامة النهر' })
  await page.goto(`/i/${itemId}?lang=ja`)
  await expectLanguage(page, 'ja')
  const heading = page.getByRole('heading', { level: 1, name: title })
  await expect(heading.locator('bdi')).toHaveCSS('direction', 'rtl')
  await expect(heading).toHaveCSS('direction', 'ltr')
  await page.locator('footer summary').click()
  await page.getByRole('button', { name: 'Nederlands' }).click()
  await expectLanguage(page, 'nl')
  expect(new URL(page.url()).search).toBe('')
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: textsOf('nl')('home.title') })).toBeVisible()
  await page.context().close()
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
