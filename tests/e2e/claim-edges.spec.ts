import type { Page } from '@playwright/test'
import { expectAccessible } from './support/axe.ts'
import { arrived, askForPin, expectOwner, toDestination, typePin } from './support/claiming.ts'
import { admin, ownersOf, sendGift } from './support/gift.ts'
import { expect, test } from './support/test.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const another = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const third = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'

async function sendTo(page: Page, address: string): Promise<void> {
  await page.getByRole('button', { name: /Paste an address/ }).click()
  await page.getByLabel('Address', { exact: true }).fill(address)
  await page.getByRole('button', { name: 'Send it there' }).click()
}

test('a stranger with the link sees that a gift was claimed, and not by whom', async ({ page, browser }) => {
  const gift = await sendGift()
  await toDestination(page, gift)
  await page.getByRole('button', { name: /Paste an address/ }).click()
  await page.getByLabel('Address', { exact: true }).fill(another)
  await page.getByRole('button', { name: 'Send it there' }).click()
  await arrived(page, gift)
  await expect(page.getByRole('button', { name: 'Share the news' })).toBeVisible()
  await expectAccessible(page)

  const context = await browser.newContext()
  const stranger = await context.newPage()
  await stranger.goto(gift.url)
  await expect(stranger.getByRole('heading', { name: 'This was claimed' })).toBeVisible()
  await expectAccessible(stranger)
  await stranger.getByText('Details').click()
  await expect(stranger.getByText(another.slice(0, 6))).toHaveCount(0)
  await expect(stranger.getByText(gift.email)).toHaveCount(0)
  await expect(stranger.getByRole('button', { name: 'Share the news' })).toHaveCount(0)
  await context.close()
})

test('a recipient declines a gift after being asked once more, and its link says so', async ({ page }) => {
  const gift = await sendGift()
  await toDestination(page, gift)
  await page.getByRole('button', { name: 'I don’t want this' }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Keep it' }).click()
  await page.getByRole('button', { name: 'I don’t want this' }).click()
  await page.getByRole('button', { name: 'Decline it' }).click()
  await expect(page.getByRole('heading', { name: 'This gift was declined' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'This gift was declined' })).toBeVisible()
  await expectAccessible(page)
  expect(await ownersOf(gift.itemId)).toEqual([])
})

test('a long Arabic title without a picture fits a narrow phone with text of twice the size at every step', async ({
  page,
}) => {
  const title = 'طائر الليل الذي يعبر النهر في ضوء القمر ويعود قبل الفجر إلى أعشاشه البعيدة '.repeat(3).trim()
  const gift = await sendGift({ title })
  await page.setViewportSize({ width: 320, height: 640 })
  const fits = async () => {
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    await expectAccessible(page)
  }
  await page.goto(gift.url)
  await fits()
  await expect(page.getByRole('heading', { level: 1 }).locator('bdi')).toHaveCSS('direction', 'rtl')
  const pin = await askForPin(page, gift)
  await fits()
  await typePin(page, pin)
  await expect(page.getByRole('heading', { name: 'Where should it go?' })).toBeVisible()
  await fits()
  await sendTo(page, another)
  await arrived(page, gift)
  await fits()
})

test('the same link on two phones at once is claimed once, and the other phone says so by itself', async ({
  page,
  browser,
}) => {
  const gift = await sendGift()
  const pin = await askForPin(page, gift)
  const context = await browser.newContext()
  const other = await context.newPage()
  await other.goto(gift.url)
  await other.getByRole('button', { name: 'Send me my PIN' }).click()
  for (const each of [page, other]) {
    await typePin(each, pin)
    await expect(each.getByRole('heading', { name: 'Where should it go?' })).toBeVisible()
  }
  for (const [each, address] of [[page, another] as const, [other, third] as const]) {
    await each.getByRole('button', { name: /Paste an address/ }).click()
    await each.getByLabel('Address', { exact: true }).fill(address)
  }
  const send = (each: Page) => each.getByRole('button', { name: 'Send it there' }).click()
  await Promise.all([send(page), send(other)])
  const winner = page.getByRole('heading', { name: `${gift.title} is yours` })
  const winnerElsewhere = other.getByRole('heading', { name: `${gift.title} is yours` })
  await expect(winner.or(page.getByRole('heading', { name: 'This was claimed' }))).toBeVisible({ timeout: 60_000 })
  const isFirst = await winner.isVisible()
  await expect(isFirst ? other.getByRole('heading', { name: 'This was claimed' }) : winnerElsewhere).toBeVisible({
    timeout: 60_000,
  })
  await expectOwner(gift, isFirst ? another : third)
  await context.close()
})

test('a PIN that is typed while the link is replaced claims nothing, and the page leads to the newer link', async ({
  page,
}) => {
  const gift = await sendGift()
  const pin = await askForPin(page, gift)
  await typePin(page, pin.slice(0, 5))
  await admin('POST', `/email-claims/${gift.claimId}/resend`, { email: `new-${gift.email}` })
  await page.keyboard.type(pin.slice(5))
  await expect(page.getByRole('heading', { name: 'There is a newer link' })).toBeVisible()
  expect(await ownersOf(gift.itemId)).toEqual([])
})

test('back and forward through the steps of a claim lose nothing and redeem nothing', async ({ page }) => {
  const gift = await sendGift()
  await page.goto('/wallet')
  await toDestination(page, gift)
  await page.goBack()
  await expect(page).toHaveURL(/\/wallet$/)
  await page.goForward()
  await expect(page.getByRole('heading', { name: 'Where should it go?' })).toBeVisible()
  await page.getByRole('button', { name: 'Back to the PIN' }).click()
  await expect(page.getByLabel('PIN', { exact: true })).toBeVisible()
  await page.reload()
  await sendTo(page, another)
  await arrived(page, gift)
  await page.goBack()
  await page.goForward()
  await arrived(page, gift)
  await expectOwner(gift, another)
})
