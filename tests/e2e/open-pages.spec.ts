import { expectAccessible } from './support/axe.ts'
import { admin, sendGift } from './support/gift.ts'
import { freeOffer, offer, orderByMail } from './support/selling.ts'
import { mailTo } from './support/stack.ts'
import { expect, test } from './support/test.ts'

/** What an open page shows and says aloud of something that happened elsewhere. */
const SOON = { timeout: 10_000 }

test('an open claim page says that the gift was taken back, and offers nothing to press any more', async ({ page }) => {
  const gift = await sendGift()
  await page.goto(gift.url)
  await expect(page.getByRole('heading', { name: gift.title })).toBeVisible()
  await page.waitForResponse(/\/changes\?/)
  await admin('DELETE', `/email-claims/${gift.claimId}`)
  await expect(page.getByRole('heading', { name: 'This link was taken back' })).toBeVisible(SOON)
  await expect(page.getByRole('status').filter({ hasText: 'This link was taken back' })).toBeAttached()
  await expect(page.getByRole('button', { name: /PIN/ })).toHaveCount(0)
})

test('an open listing says that it was paused and goes on, how many are left, and that the last one was sold', async ({
  page,
}) => {
  const given = await freeOffer('EMAIL_CLAIM', { units: 2 })
  await page.goto(given.url)
  const press = page.getByRole('button', { name: 'Send it to my mailbox' })
  const says = (text: string) => expect(page.getByRole('status').filter({ hasText: text })).toBeAttached(SOON)
  await expect(press).toBeVisible()
  await page.waitForResponse(/\/changes\?/)
  await admin('PATCH', `/listings/${given.id}`, { status: 'PAUSED' })
  await says('Paused for now.')
  await expect(press).toHaveCount(0)
  await admin('PATCH', `/listings/${given.id}`, { status: 'ACTIVE' })
  await expect(press).toBeVisible(SOON)
  await orderByMail(given.id, `first-${given.id}@example.com`)
  await says('1 of 2 left.')
  await orderByMail(given.id, `second-${given.id}@example.com`)
  await says('Sold out.')
  await expect(press).toHaveCount(0)
})

test('the order is summed up before it is paid, with seller, collection, item, price and total', async ({ page }) => {
  const sold = await offer()
  await page.goto(sold.url)
  const order = page.getByRole('region', { name: 'Your order' })
  const says = async () => {
    for (const text of ['Seller', 'Collection', 'River birds', sold.title, 'Total'])
      await expect(order).toContainText(text)
    await expect(order.getByText('€15.00')).toHaveCount(2)
  }
  await says()
  await page.getByLabel('Your email').fill(`buyer-${sold.id}@example.com`)
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await expect(page.getByRole('heading', { name: 'Pay €15.00' })).toBeVisible()
  await says()
  await expectAccessible(page)
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('somebody has the links of their mailbox mailed again', async ({ page }) => {
    const gift = await sendGift()
    await page.goto('/claims')
    await page.getByLabel('Your email').fill(gift.email)
    await page.getByRole('button', { name: 'Mail me my links' }).click()
    await expect(page.getByText('Look into your mailbox')).toBeVisible()
    expect((await mailTo(gift.email, /gifts and purchases/)).text).toContain(gift.url)
  })
})

test('both elements of embed.js can be tried in the documentation', async ({ page }) => {
  const given = await freeOffer('EMAIL_CLAIM')
  const gift = await sendGift()
  await page.goto('/docs/try-embed')
  await expect(async () => {
    await page.getByLabel('Listing').fill(given.id)
    await page.getByLabel('Language').fill('de')
    await page.getByLabel('Claim').fill(gift.url)
    await page.getByRole('button', { name: 'Show them' }).click()
    await expect(page.getByRole('link', { name: 'Open your gift' })).toHaveAttribute('href', gift.url, {
      timeout: 2_000,
    })
  }).toPass()
  await expectAccessible(page)
  const frame = page.frameLocator('iframe')
  await frame.getByLabel('Ihre E-Mail-Adresse').fill(`buyer-${given.id}@example.com`)
  await frame.getByRole('button', { name: 'An mein Postfach senden' }).click()
  await expect(page.getByRole('status').filter({ hasText: given.id })).toBeVisible({ timeout: 60_000 })
})
