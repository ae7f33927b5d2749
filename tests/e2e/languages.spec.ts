import type { Page } from '@playwright/test'
import type { Locale } from '../../lib/core/locales.ts'
import { expectAccessible } from './support/axe.ts'
import { ownersOf, pinFor, sendGift } from './support/gift.ts'
import { chooseLanguage, enlarge, expectFits, expectLanguage, LOOKED_AT, textsOf } from './support/languages.ts'
import { lookAround } from './support/look.ts'
import { press } from './support/press.ts'
import { BY_CHAIN } from './support/stack.ts'
import { expect, test } from './support/test.ts'

const address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

async function claimIn(page: Page, locale: Locale, look: (page: Page) => Promise<void>): Promise<void> {
  const t = textsOf(locale)
  const gift = await sendGift({ locale, title: locale === 'ar' ? 'حمامة النهر' : 'The Night Heron' })
  const asked = new Date()
  await page.goto(gift.url)
  await expectLanguage(page, locale)
  await expect(page.getByRole('heading', { name: t('claim.start.title') })).toBeVisible()
  await look(page)
  await press(page, t('claim.start.send'), () =>
    expect(page.getByRole('heading', { name: t('claim.pin.title') })).toBeVisible(),
  )
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
  await expect.poll(() => ownersOf(gift.itemId), BY_CHAIN).toEqual([address])
}

test('a claim in Arabic runs from right to left, and its steps are accessible', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 664 })
  await claimIn(page, 'ar', async () => {
    await expectFits(page)
    await expectAccessible(page)
  })
})

test('a claim in German fits 320 pixels with text twice as large', async ({ page }) => {
  await enlarge(page)
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
  await chooseLanguage(page, '한국어', 'ko')
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

test('an Arabic title on a Japanese page keeps its own direction and language', async ({ page }) => {
  const gift = await sendGift({ locale: 'ja', title: 'حمامة النهر' })
  await page.goto(gift.url)
  await expectLanguage(page, 'ja')
  const heading = page.getByRole('heading', { level: 1, name: gift.title })
  await expect(heading.locator('bdi')).toHaveCSS('direction', 'rtl')
  await expect(heading.locator('bdi')).toHaveAttribute('lang', 'ar')
  await expect(page.getByRole('img', { name: gift.title })).toHaveAttribute('lang', 'ar')
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

for (const locale of LOOKED_AT)
  test(`the claim in ${locale} has nothing too wide, cut off or broken`, async ({ page }) => {
    test.setTimeout(120_000)
    await page.goto((await sendGift({ locale })).url)
    await expectLanguage(page, locale)
    await lookAround(page, `claim ${locale}`)
  })
