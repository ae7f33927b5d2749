import type { Page } from '@playwright/test'
import type { Locale } from '../../lib/core/locales.ts'
import { amountOf } from '../../lib/core/money.ts'
import { expectAccessible } from './support/axe.ts'
import { admin } from './support/gift.ts'
import { chooseLanguage, enlarge, expectFits, expectLanguage, LOOKED_AT, textsOf } from './support/languages.ts'
import { lookAround } from './support/look.ts'
import { freeOffer, offer } from './support/selling.ts'
import { mailTo } from './support/stack.ts'
import { expect, test } from './support/test.ts'

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
  await enlarge(page)
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
  await chooseLanguage(page, 'Italiano', 'it')
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
  await chooseLanguage(page, '한국어', 'ko')
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

for (const locale of LOOKED_AT)
  test(`the checkout in ${locale} has nothing too wide, cut off or broken`, async ({ page }) => {
    test.setTimeout(120_000)
    await page.goto(`${(await offer()).url}?lang=${locale}`)
    await expectLanguage(page, locale)
    await lookAround(page, `checkout ${locale}`)
  })
