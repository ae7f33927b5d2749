import type { Page } from '@playwright/test'
import { expectAccessible, expectLoaded } from './support/axe.ts'
import { arrived, claimTo, toDestination } from './support/claiming.ts'
import { admin, chain, type Gift, ownerOf, ownersOf, publicly, sendGift } from './support/gift.ts'
import { lookAround } from './support/look.ts'
import { makeNewcomer, signIn } from './support/newcomer.ts'
import { press } from './support/press.ts'
import { BY_CHAIN, stack } from './support/stack.ts'
import { expect, test } from './support/test.ts'
import { addAuthenticator, addBrowserWallet } from './support/wallets.ts'

const account = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const friend = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc'
const PHONE = { width: 390, height: 664 }

async function claimWithPasskey(page: Page, gift: Gift): Promise<string> {
  await toDestination(page, gift)
  await page.getByRole('button', { name: /Make a wallet here/ }).click()
  await page.getByRole('button', { name: 'Put it in this wallet' }).click()
  await arrived(page, gift)
  return ownerOf(gift.itemId)
}

/** The item's page in the wallet that a passkey opens. */
async function openItem(page: Page, gift: Gift): Promise<void> {
  await page.goto(`/wallet?item=${gift.itemId}`)
  await press(page, 'Unlock', () =>
    expect(page.getByRole('heading', { level: 1, name: gift.title })).toBeVisible({ timeout: 10_000 }),
  )
}

async function toSendForm(page: Page, gift: Gift): Promise<void> {
  await page.getByRole('button', { name: 'Send it' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `Send “${gift.title}”` })).toBeVisible()
}

const fillAddress = (page: Page, address: string) => page.getByRole('textbox', { name: /^Address/ }).fill(address)

const hasArrived = (page: Page) =>
  expect(page.getByRole('heading', { name: 'It has arrived' })).toBeVisible({ timeout: 60_000 })

test('a wallet without coins sends an item on its organization’s gas, and a page that is loaded anew finds it under way', async ({
  page,
}) => {
  test.setTimeout(180_000)
  await page.setViewportSize(PHONE)
  await addAuthenticator(page)
  const gift = await sendGift({ title: 'The Little Bittern' })
  const own = await claimWithPasskey(page, gift)
  await openItem(page, gift)
  await toSendForm(page, gift)
  await expect(page.getByText('pays the network fee.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Send it' }).click()
  await expect(page.getByText('Paste an address first.')).toBeVisible()
  await fillAddress(page, own)
  await page.getByRole('button', { name: 'Send it' }).click()
  await expect(page.getByText('It is there already. Choose another address.')).toBeVisible()
  const contract = (await (await page.request.get(`/public/v1/items/${gift.itemId}`)).json()).contract_address
  await fillAddress(page, contract)
  await page.getByRole('button', { name: 'Send it' }).click()
  await expect(page.getByText('Is this the right address?')).toBeVisible()
  await expectAccessible(page)
  await fillAddress(page, friend)
  await lookAround(page, 'wallet send form')
  await page.setViewportSize(PHONE)

  await page.getByRole('button', { name: 'Send it' }).click()
  await expect(page.getByRole('heading', { name: 'It’s on its way' })).toBeVisible({ timeout: 20_000 })
  await page.reload()
  const states = page.getByRole('heading', { name: /It’s on its way|It has arrived|It isn’t shown here/ })
  await expect(states).toBeVisible({ timeout: 20_000 })
  await expect.poll(() => ownersOf(gift.itemId), BY_CHAIN).toEqual([friend])

  // The list of the opened wallet doesn't have it any more.
  await page.goto('/wallet')
  await press(page, 'Unlock', () => expect(page.getByRole('heading', { name: 'Your items' })).toBeVisible())
  await expect(page.getByText('Nothing here yet')).toBeVisible()
})

test('sent on within a day: the holder pays, from the browser’s wallet or from the one in the page', async ({
  page,
}) => {
  test.setTimeout(240_000)
  await page.setViewportSize(PHONE)
  await addBrowserWallet(page, account, stack().chain_id)
  await addAuthenticator(page)
  const gift = await sendGift({ title: 'The Great Bittern' })
  const own = await claimWithPasskey(page, gift)
  await openItem(page, gift)
  await toSendForm(page, gift)
  await fillAddress(page, account)
  await page.getByRole('button', { name: 'Send it' }).click()
  await hasArrived(page)
  await expectLoaded(page)
  await lookAround(page, 'wallet sent')
  await page.setViewportSize(PHONE)
  await page.getByRole('button', { name: 'Back to all items' }).click()
  await expect(page.getByText('Nothing here yet')).toBeVisible()

  // Its new holder sends it back on its own coins: the token was sent once today.
  await page.goto(`/wallet?item=${gift.itemId}`)
  await press(page, 'Connect a wallet', () => page.getByRole('button', { name: 'Pocket' }).click({ timeout: 5_000 }))
  await press(page, 'Show what it owns', () =>
    expect(page.getByRole('heading', { level: 1, name: gift.title })).toBeVisible({ timeout: 10_000 }),
  )
  await toSendForm(page, gift)
  await expect(page.getByText('this one was sent within the last 24 hours')).toBeVisible()
  await expect(page.getByText('You pay the network fee, about')).toBeVisible()
  await expectAccessible(page)
  await fillAddress(page, own)
  await page.getByRole('button', { name: 'Send it' }).click()
  await hasArrived(page)
  await expect.poll(() => ownersOf(gift.itemId), BY_CHAIN).toEqual([own])

  // The wallet in the page says what it lacks before anything is signed, and notices when it is there.
  await openItem(page, gift)
  await toSendForm(page, gift)
  await expect(page.getByText(/^Your wallet needs .* more$/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send it' })).toHaveCount(0)
  await expectLoaded(page)
  await lookAround(page, 'wallet send holder pays')
  await page.setViewportSize(PHONE)
  await chain('anvil_setBalance', [own, '0xde0b6b3a7640000'])
  await expect(page.getByRole('button', { name: 'Send it' })).toBeVisible({ timeout: 20_000 })
  await fillAddress(page, friend)
  await page.getByRole('button', { name: 'Send it' }).click()
  await hasArrived(page)
  await expect.poll(() => ownersOf(gift.itemId), BY_CHAIN).toEqual([friend])
})

test('a wallet of the browser signs, the organization sends and sees whose transfer it was', async ({ page }) => {
  test.setTimeout(120_000)
  const gift = await sendGift({ title: 'The Purple Heron' })
  await claimTo(page, gift, account)
  await addBrowserWallet(page, account, stack().chain_id)
  await page.goto(`/wallet?item=${gift.itemId}`)
  await press(page, 'Connect a wallet', () => page.getByRole('button', { name: 'Pocket' }).click({ timeout: 5_000 }))
  await press(page, 'Show what it owns', () =>
    expect(page.getByRole('heading', { level: 1, name: gift.title })).toBeVisible({ timeout: 10_000 }),
  )
  await toSendForm(page, gift)
  await expect(page.getByText('pays the network fee.')).toBeVisible()
  await fillAddress(page, friend)
  await page.getByRole('button', { name: 'Send it' }).click()
  await hasArrived(page)
  await expect.poll(() => ownersOf(gift.itemId), BY_CHAIN).toEqual([friend])

  const history = await publicly<{ results: { data: { transaction: { tx_hash: string } } }[] }>(
    `/items/${gift.itemId}/history`,
  )
  const hash = history.results[0]!.data.transaction.tx_hash
  const { results } = await admin<{ results: { id: string; tx_hash: string }[] }>(
    'GET',
    '/transactions?tx_type=SIGNED_TRANSFER&limit=100',
  )
  await signIn(page)
  await page.goto(`/dashboard/transactions/${results.find(({ tx_hash }) => tx_hash === hash)!.id}`)
  const transfer = page.locator('section').filter({ hasText: 'The transfer' }).last()
  await expect(transfer).toContainText(account)
  await expect(transfer).toContainText(friend)
  await lookAround(page, 'dashboard transaction of a transfer')
})

test('a transfer that waits too long, one that failed, and an item that stays say what it means', async ({ page }) => {
  const gift = await sendGift({ title: 'The Squacco Heron' })
  await claimTo(page, gift, account)
  const path = `/wallet?item=${gift.itemId}&send=1&address=${account}`
  const terms = {
    network_id: 1,
    transferable: true,
    signed: true,
    gas_payer: 'HOLDER',
    reason_code: null,
    transfer_id: 'one',
  }
  const transfer = {
    state: 'PENDING',
    to_address: friend,
    tx_hash: null,
    created_at: '2026-01-01T00:00:00Z',
    deadline: 0,
  }
  const answer = (url: string, json: object) => page.route(url, (route) => route.fulfill({ json }))
  await answer('**/public/v1/transfer-terms?*', terms)
  await answer('**/public/v1/transfers/one', transfer)
  await page.goto(path)
  await expect(page.getByText('It takes longer than usual')).toBeVisible()
  await lookAround(page, 'wallet send waits')

  const failure = { code: 'not_owner', message: 'For programs.' }
  await answer('**/public/v1/transfers/one', { ...transfer, state: 'FAILED', failure })
  await expect(page.getByText('It had left your wallet before it was sent')).toBeVisible()
  await lookAround(page, 'wallet send failed')

  await answer('**/public/v1/transfer-terms?*', { ...terms, transferable: false, transfer_id: null })
  await page.getByRole('button', { name: 'Send it again' }).click()
  await expect(page.getByText('It can’t be sent')).toBeVisible()
  await page.unrouteAll()
  await page.reload()
  await expect(page.getByText('Open the wallet that has it, to send it.')).toBeVisible()
  await expectAccessible(page)
})

test('settings show what is paid for transfers a day, and change it', async ({ page }) => {
  const { email } = await makeNewcomer()
  await signIn(page, email)
  await page.goto('/dashboard/settings')
  const card = page.locator('#transfers')
  await expect(card).toContainText('Up to 0.05 ETH a day, as is usual here.')
  const amount = card.getByRole('textbox')
  const save = async (typed: string, then: string) => {
    await expect(async () => {
      await amount.fill(typed)
      await card.getByRole('button', { name: 'Save the amount' }).click()
      await expect(card).toContainText(then, { timeout: 5_000 })
    }).toPass()
  }
  await save('much', 'Write a number such as 12.50')
  await save('0.2', 'Up to 0.2 ETH a day.')
  await save('0', 'Nothing is paid here.')
  await expectAccessible(page)
  await save('', 'Up to 0.05 ETH a day, as is usual here.')
})
