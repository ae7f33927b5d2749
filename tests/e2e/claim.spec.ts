import type { Locator, Page } from '@playwright/test'
import { expect, test } from './support/test.ts'
import { expectAccessible } from './support/axe.ts'
import { arrived, askForPin, expectOwner, toDestination, typePin } from './support/claiming.ts'
import { admin, chain, ownerOf, ownersOf, pinFor, sendGift } from './support/gift.ts'
import { comeBack } from './support/press.ts'
import { stack } from './support/stack.ts'
import { addAuthenticator, addBrowserWallet } from './support/wallets.ts'

const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const another = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

/** One press: this browser says without a dialog that the device has no passkey, and one is made. */
const makeWallet = (page: Page): Promise<void> => page.getByRole('button', { name: /Make a wallet here/ }).click()

test('a recipient makes a wallet with a passkey, gets the item, and opens the wallet again', async ({ page }) => {
  const gift = await sendGift()
  await page.setViewportSize({ width: 390, height: 844 })
  await addAuthenticator(page)
  await page.goto(gift.url)
  await expectAccessible(page)
  const pin = await askForPin(page, gift)
  await expectAccessible(page)
  await typePin(page, pin)
  await expectAccessible(page)

  await makeWallet(page)
  await expect(page.getByText('Your wallet is ready.')).toBeVisible()
  await expectAccessible(page)
  const address = await newAddress(page)
  await page.getByRole('button', { name: 'Put it in this wallet' }).click()

  await expect(page.getByRole('list').getByText('Confirming')).toBeVisible()
  await page.reload()
  await arrived(page, gift)
  await expectAccessible(page)
  await page.getByText('Details').click()
  await expect(page.getByText(/^0x[0-9a-f]{64}$/)).toBeAttached()
  await expectOwner(gift, address)

  await page.getByRole('link', { name: 'Open my wallet' }).click()
  await page.getByRole('button', { name: 'Unlock' }).click()
  await expect(page.getByRole('heading', { level: 1, name: gift.title })).toBeVisible()
  await page.getByRole('link', { name: 'All items' }).click()
  await expect(page.getByText(address)).toBeVisible()
  await expect(page.getByRole('listitem').getByText(gift.title)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Private key' }).click()
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Show the key' }).click()
  await expect(page.getByText(/^0x[0-9a-f]{64}$/)).toBeVisible()
  await expectAccessible(page)
})

test('a recipient with a passkey wallet gets the next item with one unlock', async ({ page }) => {
  await addAuthenticator(page)
  const [first, second] = [await sendGift(), await sendGift({ title: 'The Kingfisher' })]
  await toDestination(page, first)
  await makeWallet(page)
  await page.getByRole('button', { name: 'Put it in this wallet' }).click()
  await arrived(page, first)

  await toDestination(page, second)
  await page.getByRole('button', { name: /Make a wallet here/ }).click()
  await arrived(page, second)
  expect(await ownerOf(second.itemId)).toBe(await ownerOf(first.itemId))
})

test('a wallet whose passkey is not backed up is saved in a file first, and the file opens the wallet', async ({
  page,
}) => {
  const gift = await sendGift()
  await addAuthenticator(page, { backedUp: false })
  await toDestination(page, gift)
  await makeWallet(page)
  await expect(page.getByText('This passkey stays on this device alone.')).toBeVisible()
  await expectAccessible(page)
  const file = await saveFile(page, 'Download the wallet file')
  await page.getByRole('button', { name: 'Put it in this wallet' }).click()
  await arrived(page, gift)
  await openFile(page, file)
  await expect(page.getByRole('listitem').getByText(gift.title)).toBeVisible()
})

/** Counts presses, and how often a passkey answered, with the page's heading at that time. */
const countPresses = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const counts = { taps: 0, asked: 0, headings: [] as (string | undefined)[] }
    Object.assign(window, { counts })
    addEventListener('click', ({ isTrusted }) => (counts.taps += isTrusted ? 1 : 0), true)
    for (const how of ['get', 'create'] as const) {
      const ask = navigator.credentials[how].bind(navigator.credentials)
      navigator.credentials[how] = async (options?: object) => {
        const credential = await ask(options)
        counts.asked++
        counts.headings.push(document.querySelector('h2')?.textContent ?? undefined)
        return credential
      }
    }
  })

/** What can't be counted in a page: closing the dialog that says that this device has no passkey. */
const AND_A_DIALOG = 1

for (const looksQuietly of [true, false])
  test(`at most five taps and the PIN lead to “yours” on one sheet, ${looksQuietly ? 'without' : 'with'} a dialog in between`, async ({
    page,
  }) => {
    const gift = await sendGift()
    await addAuthenticator(page)
    await countPresses(page)
    if (!looksQuietly)
      await page.addInitScript(() => {
        PublicKeyCredential.getClientCapabilities = () => Promise.resolve({ immediateGet: false })
      })
    await toDestination(page, gift)
    await makeWallet(page)
    if (!looksQuietly) await page.getByRole('button', { name: 'Make a new wallet' }).click()
    await page.getByRole('button', { name: 'Put it in this wallet' }).click()
    await arrived(page, gift)
    const counts = await page.evaluate(() => Reflect.get(window, 'counts') as { taps: number })
    expect(counts).toEqual({
      taps: looksQuietly ? 3 : 4,
      asked: 2,
      headings: ['Your own wallet', 'Your own wallet'],
    })
    expect(counts.taps + (looksQuietly ? 0 : AND_A_DIALOG)).toBeLessThanOrEqual(5)
  })

test('a browser without PRF says so before anything is made, and offers other ways', async ({ page }) => {
  const gift = await sendGift()
  await addAuthenticator(page, { prf: false })
  await page.addInitScript(() => {
    PublicKeyCredential.getClientCapabilities = () => Promise.resolve({ 'extension:prf': false })
    navigator.credentials.create = () => Promise.reject(new Error('No passkey may be made.'))
  })
  await toDestination(page, gift)
  await expect(page.getByText('This browser can’t keep a wallet by itself')).toBeVisible()
  await expect(page.getByRole('button', { name: /Make a wallet here/ })).toHaveCount(0)
  const ways = page.getByRole('list').filter({ hasText: 'Paste an address' }).getByRole('button')
  await expect(ways).toHaveText([/Connect a wallet/, /Paste an address/, /Keep a wallet in a file/])
  await expectAccessible(page)
  await page.getByRole('button', { name: /Keep a wallet in a file/ }).click()
  await saveFile(page, 'Download the file and continue')
  await page.getByRole('button', { name: 'The file is there' }).click()
  await arrived(page, gift)
})

test('a claim goes on in another browser by a code that works once and holds no token', async ({ page, browser }) => {
  const gift = await sendGift()
  const token = gift.url.split('/').at(-1)!
  const asked = new Date()
  await toDestination(page, gift)
  const pin = await pinFor(gift.email, asked)
  await page.getByRole('button', { name: /Connect a wallet/ }).click()
  const answered = page.waitForResponse(/\/handover$/)
  await page.getByRole('button', { name: 'Continue on your phone' }).click()
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible()
  await expectAccessible(page)
  const { url } = (await (await answered).json()) as { url: string }

  // What fetches the address ahead of a person uses nothing up.
  const phone = await browser.newContext({ viewport: { width: 390, height: 664 } })
  const there = await phone.newPage()
  expect(await (await phone.request.get(url)).text()).not.toContain(gift.title)
  await there.goto(url)
  await expectAccessible(there)
  await there.getByRole('button', { name: 'Continue' }).click()
  await expect(there.getByRole('heading', { name: gift.title })).toBeVisible()
  expect(there.url()).not.toContain(token)

  const late = await browser.newContext()
  const stranger = await late.newPage()
  await stranger.goto(url)
  await stranger.getByRole('button', { name: 'Continue' }).click()
  await expect(stranger.getByRole('heading', { name: 'This code doesn’t work any more' })).toBeVisible()
  expect(await stranger.content()).not.toContain(token)
  await late.close()

  await there.getByRole('button', { name: 'Send me my PIN' }).click()
  await typePin(there, pin)
  await there.getByRole('button', { name: /Paste an address/ }).click()
  await there.getByLabel('Address', { exact: true }).fill(another)
  await there.getByRole('button', { name: 'Send it there' }).click()
  await arrived(there, gift)
  expect(there.url()).toBe(url)
  await phone.close()
  await expectOwner(gift, another)
})

test('on a phone the wallets’ apps open the claim by links that hold the code alone', async ({ browser }) => {
  const gift = await sendGift()
  const phone = await browser.newContext({ viewport: { width: 390, height: 664 }, hasTouch: true, isMobile: true })
  const page = await phone.newPage()
  await toDestination(page, gift)
  await page.getByRole('button', { name: /Connect a wallet/ }).click()
  await page.getByRole('button', { name: 'Open it in a wallet app' }).click()
  const links = page.getByRole('dialog').getByRole('link')
  await expect(links).toHaveText(['MetaMask', 'Coinbase Wallet', 'Rainbow', 'Trust Wallet'])
  for (const href of await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')!))) {
    expect(decodeURIComponent(href)).toMatch(/\/h\/[\w-]{22}$/)
    expect(href).not.toContain(gift.url.split('/').at(-1)!)
  }
  await expectAccessible(page)
  await phone.close()
})

test('without PRF support of the passkey the wallet is a file with a password, which nothing goes to before it is there', async ({
  page,
}) => {
  const gift = await sendGift()
  await addAuthenticator(page, { prf: false })
  await toDestination(page, gift)
  await makeWallet(page)
  await expect(page.getByRole('heading', { name: 'A wallet in a file' })).toBeVisible()
  await expectAccessible(page)
  await saveFile(page, 'Download the file and continue')
  await expectAccessible(page)
  expect(await ownersOf(gift.itemId)).toEqual([])
  await page.getByRole('button', { name: 'Download it again' }).click()
  const file = await saveFile(page, 'Download the file and continue')
  await page.getByRole('button', { name: 'The file is there' }).click()
  await arrived(page, gift)
  await openFile(page, file)
  await expect(page.getByText(await ownerOf(gift.itemId))).toBeVisible()
})

/** The address of the new wallet. */
const newAddress = async (page: Page) =>
  (await page.getByText('Its address').locator('..').getByTitle(/^0x/).textContent())!

async function saveFile(page: Page, button: string): Promise<string> {
  await page.getByLabel('Password for the file').fill('a long password')
  await page.getByLabel('The same password again').fill('a long password')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: button }).click()
  return (await download).path()
}

async function openFile(page: Page, file: string): Promise<void> {
  await page.goto('/wallet')
  await page.getByRole('button', { name: 'Open a wallet file' }).click()
  await page.getByLabel('Wallet file').setInputFiles(file)
  await page.getByLabel('Its password').fill('not the password')
  await page.getByRole('button', { name: 'Unlock' }).click()
  await expect(page.getByText('This password doesn’t open this file.')).toBeVisible()
  await page.getByLabel('Its password').fill('a long password')
  await page.getByRole('button', { name: 'Unlock' }).click()
  await expect(page.getByRole('heading', { name: 'Your items' })).toBeVisible()
}

test('a connected wallet pays for its own mint, on a network that is added to it first', async ({ page }) => {
  const gift = await sendGift({ payer: 'BUYER' })
  await addBrowserWallet(page, account, stack().chain_id)
  await toDestination(page, gift)
  await page.getByRole('button', { name: /Connect a wallet/ }).click()
  await page.getByRole('button', { name: 'Choose a wallet' }).click()
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Pocket' }).click()
  await page.getByRole('button', { name: 'Put it in this wallet' }).click()
  await expect(page.getByRole('heading', { name: 'One last thing' })).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  await page.getByRole('button', { name: 'Collect it' }).click() // the wallet is still connected
  await arrived(page, gift)
  await expectOwner(gift, account)
})

test('a passkey wallet pays for its own mint: it shows the amount it needs, signs and sends', async ({ page }) => {
  const gift = await sendGift({ payer: 'BUYER' })
  await addAuthenticator(page)
  await toDestination(page, gift)
  await makeWallet(page)
  const address = await newAddress(page)
  await page.getByRole('button', { name: 'Put it in this wallet' }).click()
  await expect(page.getByText(/Your wallet needs .* more/)).toBeVisible()
  await expectAccessible(page)
  await chain('anvil_setBalance', [address, '0xde0b6b3a7640000'])
  await comeBack(page)
  await page.getByRole('button', { name: 'Sign and send' }).click()
  await arrived(page, gift)
  await expectOwner(gift, address)
})

test('a wrong PIN and a mistyped address are explained, and the claim works by keyboard alone', async ({ page }) => {
  const gift = await sendGift()
  const pin = await askForPin(page, gift)
  await page.keyboard.type(pin === '000000' ? '111111' : '000000')
  await expect(page.getByText('That isn’t the PIN. You have 4 tries left.')).toBeVisible()
  await expect(page.getByLabel('PIN', { exact: true })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.insertText(` ${pin.slice(0, 3)} ${pin.slice(3)} `)
  await expect(page.getByRole('heading', { name: 'Where should it go?' })).toBeFocused()
  await page.getByRole('button', { name: /Paste an address/ }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.type(another.replace('BC', 'bC'))
  await expect(page.getByText('A character of this address is wrong.')).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Address', { exact: true }).fill(another)
  await expect(page.getByText('The address’s own check agrees.')).toBeVisible()
  await page.keyboard.press('Enter')
  await arrived(page, gift)
  await expectOwner(gift, another)
})

test('a right PIN counts for this browser alone, and a reload asks for it no more', async ({ page, browser }) => {
  const gift = await sendGift()
  await toDestination(page, gift)
  expect(await page.evaluate(() => document.cookie)).not.toContain('vitrine-pin')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Where should it go?' })).toBeVisible()
  const stranger = await browser.newContext()
  const elsewhere = await stranger.newPage()
  await elsewhere.goto(gift.url)
  await expect(elsewhere.getByRole('button', { name: 'Send me my PIN' })).toBeVisible()
  const refused = await elsewhere.evaluate(async (token) => {
    const answer = await fetch(`/public/v1/email-claims/${token}/redeem`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' }),
    })
    return ((await answer.json()) as { code: string }).code
  }, gift.url.split('/').at(-1)!)
  expect(refused).toBe('pin_required')
  await stranger.close()
  await page.getByRole('button', { name: /Paste an address/ }).click()
  await page.getByLabel('Address', { exact: true }).fill(another)
  await page.getByRole('button', { name: 'Send it there' }).click()
  await arrived(page, gift)
})

test('on a small phone the page opens at its top, and each step shows its field and its button', async ({ page }) => {
  const gift = await sendGift()
  await page.setViewportSize({ width: 390, height: 664 })
  await addAuthenticator(page)
  const inView = async (...shown: Locator[]) => {
    for (const one of shown) await expect(one).toBeInViewport({ ratio: 1 })
  }
  const listening = page.waitForResponse(/\/changes\?/)
  await page.goto(gift.url)
  const start = page.getByRole('button', { name: 'Send me my PIN' })
  await inView(page.getByRole('heading', { name: gift.title }), start)
  await listening
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')

  const pin = await askForPin(page, gift)
  await inView(page.getByLabel('PIN', { exact: true }), page.getByRole('button', { name: 'Continue' }))
  await page.reload()
  await expect(page.getByLabel('PIN', { exact: true })).toBeVisible()
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
  await typePin(page, pin)
  const ways = [/Make a wallet here/, /Connect a wallet/, /Paste an address/]
  await inView(...ways.map((name) => page.getByRole('button', { name })))

  await page.getByRole('button', { name: /Paste an address/ }).click()
  await page.getByLabel('Address', { exact: true }).fill(another)
  await inView(page.getByLabel('Address', { exact: true }), page.getByRole('button', { name: 'Send it there' }))
  await page.getByRole('button', { name: 'Another way' }).click()
  await page.getByRole('button', { name: /Connect a wallet/ }).click()
  await inView(page.getByRole('button', { name: 'Choose a wallet' }))
  await page.getByRole('button', { name: 'Another way' }).click()
  await makeWallet(page)
  await inView(page.getByText('Its address'), page.getByRole('button', { name: 'Put it in this wallet' }))
})

test('an address that rejects the item is refused, and the same PIN works for another address', async ({ page }) => {
  const gift = await sendGift()
  const { contract } = await admin<{ contract: string }>(
    'GET',
    `/collections/${(await admin<{ collection_id: string }>('GET', `/email-claims/${gift.claimId}`)).collection_id}`,
  )
  await toDestination(page, gift)
  for (const address of [contract, another]) {
    await page
      .getByRole('button', { name: /Paste an address/ })
      .or(page.getByLabel('Address', { exact: true }))
      .click()
    await page.getByLabel('Address', { exact: true }).fill(address)
    await page.getByRole('button', { name: 'Send it there' }).click()
    if (address === another) continue
    await expect(page.getByText('This address belongs to the sender, not to you.')).toBeVisible()
    await page.getByRole('button', { name: 'Use it all the same' }).click()
    await expect(page.getByText('can’t hold the item')).toBeVisible()
  }
  await arrived(page, gift)
})

test('revoked, replaced and unknown links are explained', async ({ page }) => {
  const revoked = await sendGift()
  await admin('DELETE', `/email-claims/${revoked.claimId}`)
  await page.goto(revoked.url)
  await expect(page.getByRole('heading', { name: 'This link was taken back' })).toBeVisible()
  await expectAccessible(page)

  const replaced = await sendGift()
  await admin('POST', `/email-claims/${replaced.claimId}/resend`, { email: `new-${replaced.email}` })
  await page.goto(replaced.url)
  await expect(page.getByRole('heading', { name: 'There is a newer link' })).toBeVisible()
  await expect(page.getByText(replaced.title)).toHaveCount(0)
  await expectAccessible(page)

  const answer = await page.goto(`/claim/${'A'.repeat(43)}`)
  expect(answer?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'We don’t know this link' })).toBeVisible()
  await expectAccessible(page)
})

test('opening a link five times, as mail scanners do, does not use it up', async ({ page, request }) => {
  const gift = await sendGift()
  for (let visit = 0; visit < 5; visit++) expect((await request.get(gift.url)).status()).toBe(200)
  await page.goto(gift.url)
  await expect(page.getByRole('button', { name: 'Send me my PIN' })).toBeVisible()
  const headers = (await request.get(gift.url)).headers()
  expect(headers['referrer-policy']).toBe('same-origin')
  expect(headers['content-security-policy']).toContain("connect-src 'self'")
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the claim page and the wallet fit a 320-pixel screen and are accessible, ${colorScheme}`, async ({ page }) => {
    const gift = await sendGift({
      title: 'A title that somebody made very long, with Donaudampfschifffahrtsgesellschaft in it',
    })
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width: 320, height: 640 })
    await addAuthenticator(page)
    const expectFits = async () => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
      await expectAccessible(page)
    }
    await toDestination(page, gift)
    await expectFits()
    await page.getByRole('button', { name: /Paste an address/ }).click()
    await page.getByLabel('Address', { exact: true }).fill(another.toLowerCase())
    await expectFits()
    await page.getByRole('button', { name: 'Send it there' }).click()
    await arrived(page, gift)
    await page.getByText('Details').click()
    await expectFits()
    await page.goto('/wallet')
    await page.getByRole('button', { name: 'Unlock' }).click()
    await page.getByRole('button', { name: 'Make a new wallet' }).click()
    await page.getByRole('button', { name: 'Open my wallet' }).click()
    await expect(page.getByRole('heading', { name: 'Nothing here yet' })).toBeVisible()
    await expectFits()
  })
}
