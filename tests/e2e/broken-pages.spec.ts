import type { Locator, Page, Request } from '@playwright/test'
import { arrived, askForPin, toDestination, typePin } from './support/claiming.ts'
import { ownersOf, sendGift } from './support/gift.ts'
import { makeNewcomer, signIn } from './support/newcomer.ts'
import { expect, test } from './support/test.ts'

const another = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const SCRIPTS = /\/_next\/static\/.*\.js/

async function sendTo(page: Page, address: string): Promise<void> {
  await page.getByRole('button', { name: /Paste an address/ }).click()
  await page.getByLabel('Address', { exact: true }).fill(address)
  await page.getByRole('button', { name: 'Send it there' }).click()
}

/** Opens a page whose scripts come only once the button was pressed. */
async function pressEarly(page: Page, url: string, button: Locator): Promise<void> {
  const { promise: mayRun, resolve: run } = Promise.withResolvers<void>()
  await page.route(SCRIPTS, async (route) => {
    await mayRun
    await route.continue()
  })
  await page.goto(url, { waitUntil: 'commit' })
  await button.click()
  await expect(button).toHaveAttribute('data-pressed')
  run()
}

test('a press before the page’s script is ready is done once it is', async ({ page }) => {
  const gift = await sendGift()
  await pressEarly(page, gift.url, page.getByRole('button', { name: 'Send me my PIN' }))
  await expect(page.getByLabel('PIN', { exact: true })).toBeFocused()
})

test('a press before a part of the dashboard is hydrated is done once it is, once', async ({ page }) => {
  const { email } = await makeNewcomer()
  await signIn(page, email)
  await pressEarly(page, '/dashboard/members', page.getByRole('button', { name: /^Change role of/ }))
  await expect(page.getByRole('dialog')).toBeVisible()
  await pressEarly(page, '/dashboard/members', page.getByRole('button', { name: 'Theme: System.' }))
  await expect(page.getByRole('button', { name: 'Theme: Light.' })).toBeVisible()
})

test('a page whose script can’t be loaded is loaded again by a press, and one that needs a later script by “Try again”', async ({
  page,
}) => {
  const gift = await sendGift()
  let isBroken = true
  await page.route(SCRIPTS, (route) => (isBroken ? route.abort() : route.continue()))
  await page.goto(gift.url)
  isBroken = false
  await page.getByRole('button', { name: 'Send me my PIN' }).click()
  await expect(page.getByRole('button', { name: 'Send me my PIN' })).not.toHaveAttribute('data-pressed')

  const loaded = new Set<string>()
  const note = (request: Request) => void loaded.add(request.url())
  page.on('request', note)
  await page.reload()
  page.off('request', note)
  await page.unrouteAll()
  await page.route(SCRIPTS, (route) => (loaded.has(route.request().url()) ? route.continue() : route.abort()))
  await typePin(page, await askForPin(page, gift))
  await expect(page.getByRole('heading', { name: 'We can’t show this right now' })).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Where should it go?' })).toBeVisible()
})

test('a redemption whose answer was lost is known as one’s own, at once and after a reload', async ({ page }) => {
  const gift = await sendGift()
  await toDestination(page, gift)
  let sent = 0
  await page.route('**/redeem', async (route) => {
    sent++
    await route.fetch()
    await route.abort() // the answer gets lost
  })
  await sendTo(page, another)
  // The page shows the failure, or, when it learns of the redemption first, that it asks whose it was.
  const failed = page.getByText('We can’t be reached right now.')
  await expect(failed.or(page.getByText('One moment'))).toBeVisible()
  await expect.poll(() => sent, { message: 'it is asked for again' }).toBeGreaterThan(1)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.reload()
  await arrived(page, gift)
  await page.getByText('Details').click()
  await expect(page.getByText(/^0x[0-9a-f]{64}$/)).toBeVisible()
  expect(await ownersOf(gift.itemId)).toEqual([another])
})

test('a PIN in Persian digits is a PIN, and forced colours show it once', async ({ page }) => {
  const gift = await sendGift()
  await page.emulateMedia({ forcedColors: 'active' })
  const pin = await askForPin(page, gift)
  const field = page.getByLabel('PIN', { exact: true })
  await expect(field).toHaveCSS('color', 'rgba(0, 0, 0, 0)')
  await typePin(page, [...pin].map((digit) => '۰۱۲۳۴۵۶۷۸۹'[Number(digit)]).join(''))
  await expect(page.getByRole('heading', { name: 'Where should it go?' })).toBeVisible()
})

test('a new API key is shown again by the error page where showing it failed, and nowhere after it was left', async ({
  page,
}) => {
  await signIn(page)
  await page.goto('/dashboard/api-keys/new')
  await page.getByLabel('Name').fill('Shop backend')
  // Rendering fails once, as it does where an extension or a translator has moved the page's nodes.
  await page.evaluate(() => {
    const { insertBefore, appendChild } = Node.prototype
    const fail = () => {
      Object.assign(Node.prototype, { insertBefore, appendChild })
      throw new DOMException('The node was moved.', 'NotFoundError')
    }
    const isKey = (node: Node) => node.textContent?.includes('vt_test_') === true
    Node.prototype.insertBefore = function <T extends Node>(node: T, before: Node | null) {
      return isKey(node) ? fail() : (insertBefore.call(this, node, before) as T)
    }
    Node.prototype.appendChild = function <T extends Node>(node: T) {
      return isKey(node) && this.isConnected ? fail() : (appendChild.call(this, node) as T)
    }
  })
  await page.getByRole('button', { name: 'Create the key' }).click()
  await expect(page.getByRole('heading', { name: 'This page could not be loaded' })).toBeVisible()
  await expect(page.getByText(/may have gone through/)).toBeVisible()
  await expect(page.getByText(/^vt_test_/)).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByTestId('api-key')).toHaveText(/^vt_test_/)
  await page.getByRole('link', { name: 'I have it' }).click()
  await page.getByRole('link', { name: 'New key' }).first().click()
  await expect(page.getByLabel('Name')).toBeVisible()
  await expect(page.getByText(/^vt_test_/)).toHaveCount(0)
})
