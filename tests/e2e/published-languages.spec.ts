import { LOCALES } from '../../lib/core/locales.ts'
import { expectAccessible } from './support/axe.ts'
import { collection, sendGift } from './support/gift.ts'
import { expectFits, expectLanguage, textsOf } from './support/languages.ts'
import { buyer } from './support/selling.ts'
import { stack } from './support/stack.ts'
import { expect, test } from './support/test.ts'

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
  ]) {
    const response = await page.goto(url + query)
    expect(response!.headers()['cache-control']).toContain('no-store')
    await expect(page).toHaveTitle(`${title} · Vitrine`)
    await expect(page.locator('link[rel="canonical"]')).toHaveAttribute('href', canonical!)
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

test('an Arabic title on a Japanese public page keeps its direction and language, and another is chosen without script', async ({
  browser,
}) => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  const { itemId, title } = await sendGift({ title: 'حمامة النهر' })
  await page.goto(`/i/${itemId}?lang=ja`)
  await expectLanguage(page, 'ja')
  const heading = page.getByRole('heading', { level: 1, name: title })
  await expect(heading.locator('bdi')).toHaveCSS('direction', 'rtl')
  await expect(heading.locator('bdi')).toHaveAttribute('lang', 'ar')
  await expect(heading).toHaveCSS('direction', 'ltr')
  await page.locator('footer summary').click()
  await page.getByRole('button', { name: 'Nederlands' }).click()
  await expectLanguage(page, 'nl')
  expect(new URL(page.url()).search).toBe('')
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: textsOf('nl')('home.title') })).toBeVisible()
  await page.context().close()
})
