import { expectAccessible } from './support/axe.ts'
import { arrived, askForPin, expectOwner, toDestination, typePin } from './support/claiming.ts'
import { ownerOf, ownersOf, sendGift } from './support/gift.ts'
import { offer } from './support/selling.ts'
import { blockSiteData, fillStorage } from './support/site-data.ts'
import { stack } from './support/stack.ts'
import { expect, test } from './support/test.ts'
import { addAuthenticator, addBrowserWallet } from './support/wallets.ts'

const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

test('a gift is claimed to a new wallet where site data is blocked: the PIN is typed once more, and the wallet opens', async ({
  page,
  context,
}) => {
  const gift = await sendGift()
  await blockSiteData(page)
  await addAuthenticator(page)
  const pin = await askForPin(page, gift)
  await typePin(page, pin)
  await expect(page.getByRole('heading', { name: 'Where should it go?' })).toBeFocused()
  await context.clearCookies()
  await page.getByRole('button', { name: /Make a wallet here/ }).click()
  await page.getByRole('button', { name: 'Put it in this wallet' }).click()
  await expect(page.getByText('This browser keeps no cookie of this page')).toBeVisible()
  await expectAccessible(page)
  expect(await ownersOf(gift.itemId)).toEqual([])
  await typePin(page, '000000')
  await expect(page.getByText('That isn’t the PIN.')).toBeVisible()
  await typePin(page, pin)
  await arrived(page, gift)
  const address = await ownerOf(gift.itemId)

  await page.getByRole('link', { name: 'Open my wallet' }).click()
  await page.getByRole('button', { name: 'Unlock' }).click()
  await page.getByRole('link', { name: 'All items' }).click()
  await expect(page.getByText(address)).toBeVisible()
})

test('a gift is declined where no cookie is kept, once the PIN is typed again', async ({ page, context }) => {
  const gift = await sendGift()
  const pin = await askForPin(page, gift)
  await typePin(page, pin)
  await page.getByRole('button', { name: 'I don’t want this' }).click()
  await context.clearCookies()
  await page.getByRole('button', { name: 'Decline it' }).click()
  await expect(page.getByText('This browser keeps no cookie of this page')).toBeVisible()
  await typePin(page, pin)
  await expect(page.getByRole('heading', { name: 'This gift was declined' })).toBeVisible()
})

test('a gift goes to a wallet of the browser where storage is full, and where it is wiped between two steps', async ({
  page,
}) => {
  const gift = await sendGift()
  await addBrowserWallet(page, account, stack().chain_id)
  await fillStorage(page)
  await page.addInitScript(() => {
    // The wallet keeps what it was asked in its own storage.
    const { setItem } = sessionStorage
    sessionStorage.setItem = (name, value) => name !== 'wallet-allowed' && setItem.call(sessionStorage, name, value)
  })
  await toDestination(page, gift)
  await page.getByRole('button', { name: /Connect a wallet/ }).click()
  await page.getByRole('button', { name: /Choose a wallet/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Pocket' }).click()
  await page.evaluate(() => localStorage.clear())
  await page.getByRole('button', { name: 'Put it in this wallet' }).click()
  await expect(page.getByRole('list').getByText('Confirming')).toBeVisible()
  await page.evaluate(() => localStorage.clear())
  await arrived(page, gift)
  await expectOwner(gift, account)
})

test('what is bought by card is paid where site data is blocked, and its page opens again by its address', async ({
  page,
}) => {
  const sold = await offer()
  await blockSiteData(page)
  await page.goto(sold.url)
  await page.getByLabel('Your email').fill(`buyer-${sold.id}@example.com`)
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await page.getByLabel('Card number').fill('4242 4242 4242 4242')
  await page.getByLabel('Valid until').fill('12/34')
  await page.getByLabel('Security code').fill('123')
  await page.getByRole('button', { name: 'Pay €15.00' }).click()
  const inMailbox = page.getByRole('heading', { name: 'It waits in your mailbox' })
  await expect(inMailbox).toBeVisible({ timeout: 60_000 })
  await page.reload()
  await expect(inMailbox).toBeVisible()
})

test('a handed-over claim and the dashboard say that they need cookies', async ({ page }) => {
  await blockSiteData(page)
  await page.goto(`/h/${'a'.repeat(22)}`)
  await expect(page.getByText('Open the link in your email instead.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Continue' })).toHaveCount(0)
  await page.goto('/dashboard')
  await expect(page.getByText('The dashboard needs a cookie')).toBeVisible()
  await expectAccessible(page)
})
