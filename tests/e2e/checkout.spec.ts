import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test as anyone } from '@playwright/test'
import type { Page } from '@playwright/test'
import { expectAccessible } from './support/axe.ts'
import { admin, ownersOf } from './support/gift.ts'
import {
  balanceOf,
  buyer,
  coinsOf,
  freeOffer,
  listingOf,
  offer,
  openInNameOf,
  paymentToken,
  payout,
  reserve,
} from './support/selling.ts'
import type { Offer } from './support/selling.ts'
import { BY_CHAIN, mailTo, stack } from './support/stack.ts'
import { expect, test } from './support/test.ts'
import { addBrowserWallet } from './support/wallets.ts'

const another = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const visa = '4242 4242 4242 4242'
const declining = '4000 0000 0000 0002'
const needsConfirmation = '4000 0000 0000 3220'

/** Opens the listing's page and continues to the card form. */
async function toCardForm(page: Page, { url }: Offer, email: string): Promise<void> {
  await page.goto(url)
  await page.getByLabel('Your email').fill(email)
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await expect(page.getByRole('heading', { name: 'Pay €15.00' })).toBeVisible()
}

async function pay(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Valid until').fill('12/34')
  await page.getByLabel('Security code').fill('123')
  await page.getByRole('button', { name: 'Pay €15.00' }).click()
}

const inMailbox = (page: Page) =>
  expect(page.getByRole('heading', { name: 'It waits in your mailbox' })).toBeVisible({ timeout: 60_000 })
const arrived = (page: Page, { title }: Offer) =>
  expect(page.getByRole('heading', { name: `${title} is yours` })).toBeVisible({ timeout: 60_000 })
const expectOwner = ({ itemId }: Offer, address: string) =>
  expect.poll(() => ownersOf(itemId), BY_CHAIN).toEqual([address])
const mailbox = ({ id }: Offer) => `buyer-${id}@example.com`

/** Cancels the purchase on its page. */
async function cancelPurchase(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'I don’t want it any more' }).click()
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Give it up', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'You gave this up' })).toBeVisible()
}

async function connect(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Choose a wallet|Connect the wallet/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Pocket' }).click()
}

test('a card purchase is paid, mailed with a receipt, and its page opens again by its link only', async ({
  page,
  browser,
}) => {
  const sold = await offer()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(sold.url)
  await expect(page.getByText('€15.00', { exact: true }).first()).toBeVisible()
  await expect(page.getByText('Test mode.')).toBeVisible()
  await expectAccessible(page)
  await toCardForm(page, sold, mailbox(sold))
  await expect(page.getByRole('timer')).toHaveText(/\d+:\d\d/)
  await expectAccessible(page)
  await pay(page, visa)
  await inMailbox(page)
  await expectAccessible(page)
  await page.getByText('Details').click()
  await expectAccessible(page)

  const receipt = await mailTo(mailbox(sold), /receipt/i)
  expect(receipt.text).toContain('€15.00')
  expect(receipt.text).toContain(page.url())
  expect((await mailTo(mailbox(sold), /sent you/)).text).toContain('/claim/')
  expect(await listingOf(sold.id)).toMatchObject({ status: 'COMPLETE', quantity_confirmed: 1, quantity_open: 0 })

  const elsewhere = await browser.newPage()
  await elsewhere.goto(page.url())
  await inMailbox(elsewhere)
  await elsewhere.goto(sold.url)
  await expect(elsewhere.getByRole('heading', { name: 'Sold out' })).toBeVisible()
  await elsewhere.close()

  const withoutSecret = await browser.newPage()
  for (const url of [page.url().split('#')[0]!, page.url().slice(0, -1)]) {
    await withoutSecret.goto(url)
    await expect(withoutSecret.getByRole('heading', { name: 'We don’t know this purchase' })).toBeVisible()
  }
  await withoutSecret.close()
})

test('a mistyped and a declined card are refused, and a valid one delivers to a pasted address', async ({ page }) => {
  const sold = await offer()
  await page.goto(sold.url)
  await page.getByLabel('Your email').fill(mailbox(sold))
  await page.getByRole('checkbox', { name: /I have a wallet/ }).check()
  await page.getByRole('button', { name: 'Paste an address instead' }).click()
  await page.getByLabel('Address', { exact: true }).fill(another)
  await page.getByRole('button', { name: 'Use this address' }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Continue to payment' }).click()

  await pay(page, '4242 4242 4242 4241')
  await expect(page.getByText('This isn’t a card’s number.')).toBeVisible()
  await expectAccessible(page)
  await pay(page, declining)
  await expect(page.getByText('Your bank declined this card. Nothing was charged.')).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  await page.getByText('Cards to test with').click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'goes through' }).click()
  await page.getByRole('button', { name: 'Pay €15.00' }).click()
  await arrived(page, sold)
  await expectAccessible(page)
  await page.getByText('Details').click()
  await expect(page.getByText(/^0x[0-9a-f]{64}$/)).toBeAttached()
  await expectOwner(sold, another)
})

test('a payment that needs confirmation is declined by the buyer, then confirmed', async ({ page }) => {
  const sold = await offer()
  await toCardForm(page, sold, mailbox(sold))
  await pay(page, needsConfirmation)
  await expect(page.getByRole('heading', { name: 'Is that you?' })).toBeVisible()
  expect(page.url()).not.toContain('#')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'No, that isn’t me' }).click()
  await expect(page.getByText('Your bank did not confirm that it is you.')).toBeVisible()
  await expect(page).toHaveURL(/\/p\/[0-9a-f-]{36}#[\w-]+$/)
  await expectAccessible(page)
  await pay(page, needsConfirmation)
  await page.getByRole('button', { name: 'Yes, confirm the payment' }).click()
  await inMailbox(page)
})

test('a cancelled purchase puts its unit on sale again', async ({ page }) => {
  const sold = await offer()
  await toCardForm(page, sold, mailbox(sold))
  expect(await listingOf(sold.id)).toMatchObject({ quantity_remaining: 0, quantity_open: 1 })
  await cancelPurchase(page)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Back to the listing' }).click()
  await expect(page.getByLabel('Your email')).toBeVisible({ timeout: 60_000 })
})

test('a wallet that is connected once pays in the native coin, on a network that is added to it first', async ({
  page,
}) => {
  const sold = await offer({ providers: ['MINT_VOUCHER'], price: '50000000000000000', currency: 'ETH' })
  const before = await coinsOf(payout)
  await addBrowserWallet(page, buyer, stack().chain_id)
  await page.goto(sold.url)
  await expectAccessible(page)
  await connect(page)
  await page.getByRole('button', { name: 'Continue · 0.05 ETH' }).click()
  await expect(page.getByRole('heading', { name: 'Pay 0.05 ETH' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Pay 0.05 ETH' }).click()
  await arrived(page, sold)
  await expectAccessible(page)
  await expectOwner(sold, buyer)
  expect((await coinsOf(payout)) - before).toBe(50_000_000_000_000_000n)
})

test('a wallet pays the price in an ERC-20 token', async ({ page }) => {
  const token = await paymentToken(5_000_000_000n)
  const price = 25n * 10n ** BigInt(token.decimals)
  const sold = await offer({ providers: ['MINT_VOUCHER'], price: price.toString(), currency: token.symbol })
  const before = await balanceOf(token.address, payout)
  await addBrowserWallet(page, buyer, stack().chain_id)
  await page.goto(sold.url)
  await connect(page)
  await page.getByRole('button', { name: `Continue · 25 ${token.symbol}` }).click()
  await expect(page.getByRole('heading', { name: `Pay 25 ${token.symbol}` })).toBeVisible()
  await page.getByRole('button', { name: `Pay 25 ${token.symbol}` }).click()
  await arrived(page, sold)
  await expectOwner(sold, buyer)
  expect((await balanceOf(token.address, payout)) - before).toBe(price)
})

test('a purchase that somebody else opened for a wallet is continued by the wallet’s signature', async ({ page }) => {
  const sold = await offer({ providers: ['MINT_VOUCHER'], price: '50000000000000000', currency: 'ETH', units: 2 })
  const { id, secret } = await openInNameOf(buyer, sold.id)
  await addBrowserWallet(page, buyer, stack().chain_id)
  await page.goto(sold.url)
  await connect(page)
  await page.getByRole('button', { name: 'Continue · 0.05 ETH' }).click()
  await expect(page.getByText('A purchase is open for this wallet')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Sign and continue' }).click()
  await expect(page.getByRole('heading', { name: 'Pay 0.05 ETH' })).toBeVisible()
  expect(page.url()).toContain(`/p/${id}#`)
  expect(page.url()).not.toContain(secret)
})

test('a free item by email passes the bot check, and its link is mailed', async ({ page }) => {
  const given = await freeOffer('EMAIL_CLAIM', { proof_of_work: true })
  await page.goto(given.url)
  await expect(page.getByText('Free', { exact: true }).first()).toBeVisible()
  await page.getByLabel('Your email').fill('not an address')
  await page.getByRole('button', { name: 'Send it to my mailbox' }).click()
  await expect(page.getByText('This isn’t a whole email address.')).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Your email').fill(mailbox(given))
  await page.keyboard.press('Enter')
  await inMailbox(page)
  await expectAccessible(page)
  const { text } = await mailTo(mailbox(given), /sent you/)
  expect(text).toContain('/claim/')
})

for (const provider of ['ORGANIZATION', 'BETA_FREE_MINT'] as const) {
  test(`a free item to an address (${provider}) arrives`, async ({ page }) => {
    const given = await freeOffer(provider)
    await page.goto(given.url)
    await page.getByRole('button', { name: 'Paste an address instead' }).click()
    await page.getByLabel('Address', { exact: true }).fill(another)
    await page.getByRole('button', { name: 'Send it there' }).click()
    await arrived(page, given)
    await expectOwner(given, another)
  })
}

test('a listing that sells out while a buyer types is sold out, and open again when the unit is freed', async ({
  page,
}) => {
  const sold = await offer()
  await page.goto(sold.url)
  await page.getByLabel('Your email').fill(mailbox(sold))
  const release = await reserve(sold.id, 'faster@example.com')
  await expect(page.getByRole('heading', { name: 'Sold out' })).toBeVisible()
  await expectAccessible(page)
  await release()
  await expect(page.getByLabel('Your email')).toBeVisible({ timeout: 60_000 })
})

test('scheduled, paused, cancelled, ended, restricted and unknown listings are explained', async ({ page }) => {
  const inAWhile = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
  const later = await offer({ start_time: inAWhile(90_000) })
  await page.goto(later.url)
  await expect(page.getByRole('heading', { name: 'Not yet' })).toBeVisible()
  await expect(page.getByRole('timer')).toHaveText(/1 d 0\d h/)
  await expectAccessible(page)

  const held = await offer()
  await admin('PATCH', `/listings/${held.id}`, { status: 'PAUSED' })
  await page.goto(held.url)
  await expect(page.getByRole('heading', { name: 'Paused for now' })).toBeVisible()
  await expectAccessible(page)
  await admin('DELETE', `/listings/${held.id}`)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'No longer for sale' })).toBeVisible()

  const short = await offer({ end_time: inAWhile(5) })
  await page.goto(short.url)
  await expect(page.getByRole('heading', { name: 'This has ended' })).toBeVisible()
  await expectAccessible(page)

  const invited = await offer({ policy: { type: 'ALLOW_LIST', email_addresses: ['invited@example.com'] } })
  await page.goto(invited.url)
  await page.getByLabel('Your email').fill('stranger@example.com')
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await expect(page.getByText('This one isn’t open to you')).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Your email').fill('invited@example.com')
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await expect(page.getByRole('heading', { name: 'Pay €15.00' })).toBeVisible()
  await cancelPurchase(page)

  const answer = await page.goto('/l/0198c2f0-0000-7000-8000-000000000000')
  expect(answer?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'There is nothing for sale here' })).toBeVisible()
  await expectAccessible(page)
})

test('the listing and purchase pages send a strict CSP, and the purchase page its address to no other site', async ({
  request,
}) => {
  const { url } = await offer()
  const listing = (await request.get(url)).headers()
  const purchase = (await request.get('/p/0198c2f0-0000-7000-8000-000000000000')).headers()
  expect(purchase['referrer-policy']).toBe('same-origin')
  for (const headers of [listing, purchase]) {
    expect(headers['content-security-policy']).toContain("connect-src 'self';")
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  }
})

/** A foreign site with one page, on a real server because browsers do not let a routed page reach localhost. */
async function site(html: string) {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html)).listen(
    0,
    '127.0.0.1',
  )
  await once(server, 'listening')
  return { origin: `http://localhost:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

anyone('an allowed site embeds the checkout and gets its messages; another site cannot embed it', async ({ page }) => {
  const sold = await offer()
  const listen = "messages = []; addEventListener('message', ({ data }) => messages.push(data))"
  const html = `<!doctype html><title>Shop</title><script>${listen}</script><iframe title="Vitrine" src="${stack().origin}${sold.url}?embed=1" width="800" height="900"></iframe>`
  const [shop, otherSite] = [await site(html), await site(html)]
  await admin('PATCH', `/organizations/${stack().organization_id}`, { embed_origins: [shop.origin] })

  const blocked = page.waitForEvent('requestfailed', (request) => request.url().includes(sold.url))
  await page.goto(otherSite.origin)
  await blocked
  await expect(page.frameLocator('iframe').getByLabel('Your email')).toHaveCount(0)

  await page.goto(shop.origin)
  const frame = page.frameLocator('iframe')
  await frame.getByLabel('Your email').fill(mailbox(sold))
  await frame.getByRole('button', { name: 'Continue to payment' }).click()
  await frame.getByLabel('Card number').fill(visa)
  await frame.getByLabel('Valid until').fill('12/34')
  await frame.getByLabel('Security code').fill('123')
  await frame.getByRole('button', { name: 'Pay €15.00' }).click()
  await expect(frame.getByRole('heading', { name: 'It waits in your mailbox' })).toBeVisible({ timeout: 60_000 })
  const messages = await page.evaluate(
    () => (window as unknown as { messages: { type: string; height?: number; listing_id?: string }[] }).messages,
  )
  expect(messages).toContainEqual({ type: 'vitrine:completed', listing_id: sold.id })
  expect(messages.some(({ type, height }) => type === 'vitrine:height' && height! > 300)).toBe(true)
  shop.close()
  otherSite.close()
})

anyone(
  'the element of embed.js shows the checkout and tells when it is done, and opens nothing but claims',
  async ({ page }) => {
    const given = await freeOffer('EMAIL_CLAIM')
    const { origin } = stack()
    const listen =
      "done = []; addEventListener('completed', ({ detail }) => done.push(detail)); addEventListener('load', () => postMessage({ type: 'vitrine:completed', listing_id: 'forged' }, '*'))"
    const html = `<!doctype html><title>Shop</title><script>${listen}</script><script src="${origin}/embed.js"></script>
    <vitrine-checkout listing="${given.id}"></vitrine-checkout>
    <vitrine-claim href="${origin}/claim/abc">Open your gift</vitrine-claim><vitrine-claim href="https://elsewhere.example/claim/abc">Another</vitrine-claim>`
    const shop = await site(html)
    await admin('PATCH', `/organizations/${stack().organization_id}`, { embed_origins: [shop.origin] })
    await page.goto(shop.origin)
    const frame = page.frameLocator('iframe')
    await frame.getByLabel('Your email').fill(mailbox(given))
    await frame.getByRole('button', { name: 'Send it to my mailbox' }).click()
    await expect(frame.getByRole('heading', { name: 'It waits in your mailbox' })).toBeVisible({ timeout: 60_000 })
    await expect
      .poll(() => page.evaluate(() => (window as unknown as { done: object[] }).done))
      .toEqual([{ listing_id: given.id }])
    expect(await page.locator('iframe').evaluate((element) => parseFloat(element.style.height))).not.toBe(40)
    await expect(page.getByRole('link', { name: 'Open your gift' })).toHaveAttribute('href', `${origin}/claim/abc`)
    await expect(page.getByText('Another')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Another' })).toHaveCount(0)
    shop.close()
  },
)

test('embed.js is small', async ({ request }) => {
  const answer = await request.get('/embed.js')
  expect(answer.headers()['content-type']).toContain('javascript')
  expect((await answer.body()).length).toBeLessThanOrEqual(5_000)
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the checkout pages fit a 320-pixel screen and are accessible, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width: 320, height: 640 })
    const expectFits = async () => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
      await expectAccessible(page)
    }
    const sold = await offer({
      title: 'A title that somebody made very long, with Donaudampfschifffahrtsgesellschaft in it',
    })
    await toCardForm(page, sold, mailbox(sold))
    await expectFits()
    await page.getByText('Cards to test with').click()
    await expectFits()
    await pay(page, needsConfirmation)
    await expect(page.getByRole('heading', { name: 'Is that you?' })).toBeVisible()
    await expectFits()
    await page.getByRole('button', { name: 'Yes, confirm the payment' }).click()
    await inMailbox(page)
    await page.getByText('Details').click()
    await expectFits()
    const given = await freeOffer('ORGANIZATION')
    await page.goto(given.url)
    await page.getByRole('button', { name: 'Paste an address instead' }).click()
    await page.getByLabel('Address', { exact: true }).fill(another)
    await expectFits()
  })
}
