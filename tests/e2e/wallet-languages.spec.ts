import type { Page } from '@playwright/test'
import type { Locale } from '../../lib/core/locales.ts'
import { expectAccessible } from './support/axe.ts'
import { arrived, toDestination } from './support/claiming.ts'
import { type Gift, sendGift } from './support/gift.ts'
import { chooseLanguage, enlarge, expectFits, expectLanguage, textsOf } from './support/languages.ts'
import { press } from './support/press.ts'
import { expect, test } from './support/test.ts'
import { addAuthenticator } from './support/wallets.ts'

const address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

/** The page's browser has a wallet of its own with a gift, whose title is translated. */
async function giftInWallet(page: Page, locale: Locale, title: string): Promise<Gift> {
  const gift = await sendGift({ translations: { [locale]: { title, description: title } } })
  await addAuthenticator(page)
  await toDestination(page, gift)
  await page.getByRole('button', { name: /Make a wallet here/ }).click()
  await page.getByRole('button', { name: 'Put it in this wallet' }).click()
  await arrived(page, gift)
  return { ...gift, title }
}

/** The list with all that belongs to a wallet, an item's page, and the form that sends it. */
async function walletIn(page: Page, locale: Locale, gift: Gift, look: () => Promise<void>): Promise<void> {
  const t = textsOf(locale)
  await page.goto(`/wallet?lang=${locale}`)
  await expectLanguage(page, locale)
  await expect(page).toHaveTitle(`${t('common.myWallet')} · Vitrine`)
  await look()
  await press(page, t('wallet.make.unlock'), () =>
    expect(page.getByRole('heading', { name: t('ownWallet.items.yours') })).toBeVisible({ timeout: 10_000 }),
  )
  const item = page.locator(`a[href*="${gift.itemId}"]`)
  await expect(item).toBeVisible()
  await expect(page.getByRole('heading', { name: t('ownWallet.recovery.title') })).toBeVisible()
  await look()
  await page.getByRole('button', { name: t('ownWallet.copies.add') }).click()
  await expect(page.getByRole('dialog', { name: t('ownWallet.copies.addTitle') })).toBeVisible()
  await look()
  await page.getByRole('button', { name: t('common.close') }).click()
  await item.click()
  await expect(page.getByRole('heading', { level: 1, name: gift.title })).toBeVisible()
  await look()
  await page.getByRole('button', { name: t('ownWallet.item.send') }).click()
  await page.getByRole('textbox').fill('grace@example.com')
  await expect(page.getByText(t('ownWallet.send.email.back'))).toBeVisible()
  await look()
  // The place in the wallet keeps the language that its address asked for.
  expect(new URL(page.url()).searchParams.get('lang')).toBe(locale)
}

test('the wallet in Arabic runs from right to left, and all its places are accessible', async ({ page }) => {
  test.setTimeout(120_000)
  const gift = await giftInWallet(page, 'ar', 'حمامة النهر')
  await page.setViewportSize({ width: 390, height: 664 })
  await walletIn(page, 'ar', gift, async () => {
    await expectFits(page)
    await expectAccessible(page)
  })
})

test('the wallet in German fits 320 pixels with text twice as large', async ({ page }) => {
  test.setTimeout(120_000)
  const gift = await giftInWallet(page, 'de', 'Der Nachtreiher')
  await enlarge(page)
  await walletIn(page, 'de', gift, () => expectFits(page))
})

test('the language chosen in the wallet is kept, and what is open in it stays where it is', async ({ page }) => {
  const t = textsOf('pl')
  await page.goto(`/wallet?address=${address}`)
  await chooseLanguage(page, 'Polski', 'pl')
  await expect(page.getByText(t('ownWallet.whose.watched'))).toBeVisible()
  expect(new URL(page.url()).searchParams.get('address')).toBe(address)
  await page.goto('/wallet')
  await expectLanguage(page, 'pl')
})
