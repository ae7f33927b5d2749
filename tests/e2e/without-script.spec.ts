import type { Page } from '@playwright/test'
import { ownersOf, pinFor, sendGift } from './support/gift.ts'
import { freeOffer, offer } from './support/selling.ts'
import { mailTo } from './support/stack.ts'
import { expect, test } from './support/test.ts'

test.use({ javaScriptEnabled: false })

const address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

/** Playwright's own text matchers leave out what is in <noscript>. */
const expectText = (page: Page, text: string) => expect.poll(() => page.innerText('main')).toContain(text)

/** The page doesn't change by itself. */
const arrives = (page: Page, title: string) =>
  expect(async () => {
    await page.reload()
    await expect(page.getByRole('heading', { name: `${title} is yours` })).toBeVisible({ timeout: 2_000 })
  }).toPass({ timeout: 60_000 })

test('a claim is redeemed to a typed address without script, after a wrong PIN', async ({ page }) => {
  const gift = await sendGift()
  const asked = new Date()
  await page.setViewportSize({ width: 390, height: 664 })
  await page.goto(gift.url)
  await expect(page.getByRole('heading', { name: gift.title })).toHaveCount(1)
  await page.getByRole('button', { name: 'Send me my PIN' }).click()
  await expectText(page, 'We have sent six digits to your mailbox.')
  const pin = await pinFor(gift.email, asked)

  await page.getByLabel('PIN', { exact: true }).fill(pin === '111111' ? '222222' : '111111')
  await page.getByLabel('Address', { exact: true }).fill(address)
  await page.getByRole('button', { name: 'Send it there' }).click()
  await expectText(page, 'That isn’t the PIN.')

  await page.getByLabel('PIN', { exact: true }).fill(pin)
  await page.getByLabel('Address', { exact: true }).fill(address)
  await page.getByRole('button', { name: 'Send it there' }).click()
  await expect(page.getByRole('heading', { name: /on its way to you|is yours/ })).toBeVisible()
  await arrives(page, gift.title)
  expect(await ownersOf(gift.itemId)).toEqual([address])
})

test('a claim that its recipient pays for says that it needs script', async ({ page }) => {
  const gift = await sendGift({ payer: 'BUYER' })
  await page.goto(gift.url)
  await expect(page.getByRole('heading', { name: 'This page needs JavaScript' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send me my PIN' })).toBeHidden()
})

test('a free item is ordered to a mailbox without script, and its page knows the purchase', async ({ page }) => {
  const given = await freeOffer('EMAIL_CLAIM')
  const email = `plain-${given.id}@example.com`
  await page.goto(given.url)
  await page.getByRole('textbox', { name: 'Your email' }).fill(email)
  await page.getByRole('button', { name: 'Send it to my mailbox' }).click()
  await expect(page.getByRole('heading', { name: 'It waits in your mailbox' })).toBeVisible()
  await expect(page).toHaveURL(/\/p\/[0-9a-f-]{36}$/)
  expect((await mailTo(email, /sent you/)).text).toContain('/claim/')
})

test('a free item is ordered to an address without script, and arrives', async ({ page }) => {
  const given = await freeOffer('ORGANIZATION')
  await page.goto(given.url)
  await page.getByLabel('Address', { exact: true }).fill('0x12')
  await page.getByRole('button', { name: 'Send it there' }).click()
  await expectText(page, 'Check what you typed')
  await page.getByLabel('Address', { exact: true }).fill(address)
  await page.getByRole('button', { name: 'Send it there' }).click()
  await expect(page.getByRole('heading', { name: /on its way to you|is yours/ })).toBeVisible()
  await arrives(page, given.title)
  expect(await ownersOf(given.itemId)).toEqual([address])
})

test('what is paid says that it needs script', async ({ page }) => {
  const sold = await offer()
  await page.goto(sold.url)
  await expectText(page, 'Buying needs JavaScript.')
})
