import { arrived, toDestination } from './support/claiming.ts'
import { sendGift } from './support/gift.ts'
import { offer } from './support/selling.ts'
import { setDeviceClock } from './support/site-data.ts'
import { expect, test } from './support/test.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const inFuture = (ms: number) => new Date(Date.now() + ms).toISOString()
const another = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

test.use({ timezoneId: 'Pacific/Kiritimati' })

test('a buyer whose clock is 31 minutes ahead sees how long a listing really goes on, pays in time, and with a card that is good', async ({
  page,
}) => {
  const sold = await offer({ end_time: inFuture(20 * MINUTE) })
  await setDeviceClock(page, 31 * MINUTE)
  await page.goto(sold.url)
  await expect(page.getByRole('timer')).toHaveText(/^(19:\d\d|20:00)$/)
  await page.getByLabel('Your email').fill(`buyer-${sold.id}@example.com`)
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await expect(page.getByRole('heading', { name: 'Pay €15.00' })).toBeVisible()
  await expect(page.getByRole('timer')).toHaveText(/^\d\d?:\d\d$/)
  await page.reload()
  await page.getByLabel('Card number').fill('4242 4242 4242 4242')
  await page.getByLabel('Valid until').fill('12/34')
  await page.getByLabel('Security code').fill('123')
  await page.getByRole('button', { name: 'Pay €15.00' }).click()
  await expect(page.getByRole('heading', { name: 'It waits in your mailbox' })).toBeVisible({ timeout: 60_000 })
})

test('a device’s clock opens no listing early and takes no card for expired', async ({ page }) => {
  const later = await offer({ start_time: inFuture(2 * HOUR) })
  await setDeviceClock(page, 9 * 365 * 24 * HOUR)
  await page.goto(later.url)
  await expect(page.getByRole('timer')).toHaveText(/^1 h 5\d min$/)

  const sold = await offer()
  await page.goto(sold.url)
  await page.getByLabel('Your email').fill(`buyer-${sold.id}@example.com`)
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await page.getByLabel('Card number').fill('4242 4242 4242 4242')
  await page.getByLabel('Valid until').fill('12/28')
  await page.getByLabel('Security code').fill('123')
  await page.getByRole('button', { name: 'Pay €15.00' }).click()
  await expect(page.getByRole('heading', { name: 'It waits in your mailbox' })).toBeVisible({ timeout: 60_000 })
})

for (const [words, aheadMs] of [
  ['hours ahead', 5 * HOUR],
  ['hours behind', -5 * HOUR],
] as const)
  test(`a gift is claimed on a device whose clock is ${words}, also over a reload`, async ({ page }) => {
    const gift = await sendGift()
    await setDeviceClock(page, aheadMs)
    await toDestination(page, gift)
    await page.reload()
    await page.getByRole('button', { name: 'Back to the PIN' }).click()
    await expect(page.getByRole('button', { name: /^Send another PIN( in \d\d? s)?$/ })).toBeVisible()
    await page.reload()
    await page.getByRole('button', { name: /Paste an address/ }).click()
    await page.getByLabel('Address', { exact: true }).fill(another)
    await page.getByRole('button', { name: 'Send it there' }).click()
    await arrived(page, gift)
  })
