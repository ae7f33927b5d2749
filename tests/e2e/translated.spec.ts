import fs from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { claimTo, expectOwner } from './support/claiming.ts'
import { sendGift } from './support/gift.ts'
import { signInByMail } from './support/newcomer.ts'
import { press } from './support/press.ts'
import { buyer, offer } from './support/selling.ts'
import { expect, test } from './support/test.ts'
import { translate } from './support/translator.ts'

/** What the page threw, which a translated page mustn't. */
function faultsOf(page: Page): string[] {
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  return faults
}
/** What React says of a page that was translated before it was ready: it renders the page anew. */
const isFault = (message: string) => !/Minified React error #(418|423|425)\b/.test(message)

test('a gift is claimed on a translated page', async ({ page, context }) => {
  await translate(context)
  const faults = faultsOf(page)
  const gift = await sendGift()
  await claimTo(page, gift, buyer)
  await expectOwner(gift, buyer)
  await page.goto('/wallet')
  await press(page, 'Look at an address', () =>
    page.getByLabel('Address', { exact: true }).fill(buyer, { timeout: 1_000 }),
  )
  await page.getByRole('button', { name: 'Show what it owns' }).click()
  const owned = page.getByRole('list', { name: /River birds/ }).filter({ hasText: gift.title })
  await expect(owned.first()).toBeVisible() // other tests give to this address, too
  expect(faults.filter(isFault)).toEqual([])
})

test('on a translated page a buyer sees the same total everywhere, is refused a card and pays by another', async ({
  page,
  context,
}) => {
  await translate(context)
  const faults = faultsOf(page)
  const sold = await offer({ units: 3, max_quantity_per_tx: 3 })
  await page.goto(sold.url)
  await page.getByLabel('Your email').fill(`buyer-${sold.id}@example.com`)
  const total = page.getByRole('definition').last()
  await expect(total).toHaveText('€15.00')
  await page.getByLabel('How many').selectOption('3')
  await expect(total).toHaveText('€45.00')
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await expect(page.getByRole('heading', { name: 'Pay €45.00' })).toBeVisible()
  await page.getByLabel('Card number').fill('4000 0000 0000 0002')
  await page.getByLabel('Valid until').fill('12/34')
  await page.getByLabel('Security code').fill('123')
  await page.getByRole('button', { name: 'Pay €45.00' }).click()
  await expect(page.getByText('Your bank declined this card. Nothing was charged.')).toBeVisible()
  await page.getByLabel('Card number').fill('4242 4242 4242 4242')
  await page.getByRole('button', { name: 'Pay €45.00' }).click()
  await expect(page.getByRole('heading', { name: 'It waits in your mailbox' })).toBeVisible({ timeout: 60_000 })
  expect(faults.filter(isFault)).toEqual([])
})

test('a translated dashboard signs in, shows a new key’s secret, and makes, changes, locks and sells an item', async ({
  page,
  context,
}) => {
  test.setTimeout(240_000)
  await translate(context)
  const faults = faultsOf(page)
  await signInByMail(page)
  await page.goto('/dashboard/api-keys/new')
  await page.getByLabel('Name').fill('Shop')
  await page.getByRole('button', { name: 'Create the key' }).click()
  await expect(page.getByTestId('api-key')).toHaveText(/^vt_/)

  const name = `Night garden ${Date.now()}`
  await page.goto('/dashboard/collections/new')
  await page.getByRole('button', { name: 'Create the collection' }).click()
  await expect(page.getByText('This field is required.')).toBeVisible()
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Create the collection' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await page.getByRole('link', { name: 'Deploy', exact: true }).first().click()
  await page.getByRole('button', { name: 'Deploy' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Deploy' }).click()
  await expect(page.getByRole('heading', { level: 1 }).locator('..')).toContainText('Live', { timeout: 60_000 })

  await page.getByRole('link', { name: 'New item' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Moonflower')
  await expect(page.getByRole('complementary', { name: 'Preview' }).getByText('Moonflower')).toBeVisible()
  await page.getByRole('button', { name: 'Create the item' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Moonflower' })).toBeVisible()
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByLabel('Description').fill('Opens at nine.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Opens at nine.')).toBeVisible()
  await page.getByRole('button', { name: 'Lock' }).click()
  await page.getByRole('button', { name: 'Lock the item' }).click()
  await expect(page.getByText('The item is locked.', { exact: true })).toBeVisible()

  await page.getByRole('link', { name: 'Sell', exact: true }).click()
  await page.getByLabel('Price of one').fill('12.345')
  await page.getByRole('button', { name: 'Put it on sale' }).click()
  await expect(page.getByLabel('Price of one')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Price of one').fill('12.50')
  await expect(page.getByRole('complementary', { name: 'Preview' }).getByText('$12.50')).toBeVisible()
  await page.getByRole('button', { name: 'Put it on sale' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Moonflower' })).toBeVisible()

  await page.goto('/dashboard/members')
  const email = `colleague-${Date.now()}@example.com`
  await page.getByRole('button', { name: 'Invite' }).click()
  await expect(page.getByText('This field is required.')).toBeVisible()
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByRole('button', { name: 'Invite' }).click()
  await expect(page.getByRole('row').filter({ hasText: email })).toContainText('Invited')
  expect(faults.filter(isFault)).toEqual([])
})

test('what React does to a replaced text is caught and counted in the log', async ({ page, context }) => {
  await translate(context, { net: true })
  for (const url of ['/wallet', (await sendGift()).url]) {
    await page.goto(url)
    const before = reportsInLog()
    const shown = await page.evaluate(() => {
      const line = document.createElement('p')
      const [gone, next] = [document.createTextNode('gone'), document.createTextNode('next')]
      line.append(gone, next)
      for (const text of [gone, next]) {
        const around = document.createElement('span')
        text.replaceWith(around)
        around.append(text)
      }
      line.insertBefore(document.createTextNode('new '), next)
      line.removeChild(gone)
      return line.textContent
    })
    expect(shown).toBe('new next')
    await expect.poll(reportsInLog).toBe(before + 2)
  }
})

/** How often a page has reported that something was caught, by the log of the web process. */
const reportsInLog = (): number =>
  fs
    .readFileSync(path.join(process.env.E2E_DATA_DIR ?? '.test/e2e', 'logs/web.log'), 'utf8')
    .split('React’s change of it was caught').length - 1
