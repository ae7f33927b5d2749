import type { Page } from '@playwright/test'
import { expectAccessible } from './support/axe.ts'
import { arrived, claimTo, toDestination } from './support/claiming.ts'
import { inDatabase } from './support/database.ts'
import { admin, chain, type Gift, ownersOf, sendGift } from './support/gift.ts'
import { lookAround } from './support/look.ts'
import { signIn } from './support/newcomer.ts'
import { comeBack, press } from './support/press.ts'
import { BY_CHAIN, mailTo, stack } from './support/stack.ts'
import { expect, test } from './support/test.ts'
import { addAuthenticator, addBrowserWallet } from './support/wallets.ts'

/** Two of the chain node's own accounts, which no other test sends from. The first becomes a contract for a while. */
const strict = '0x976EA74026E726554dB657fA54763abd0C3a0aa9'
const collector = '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955'
const friend = '0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f'
const PHONE = { width: 390, height: 664 }

const fillIn = (page: Page, text: string) => page.getByRole('textbox', { name: /^Address/ }).fill(text)
const send = (page: Page) => page.getByRole('button', { name: 'Send it', exact: true }).click()
const shows = (page: Page, heading: string) =>
  expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible({ timeout: 60_000 })

/** The form by which the browser's wallet sends an item that it has. */
async function openForm(page: Page, { itemId, title }: Pick<Gift, 'itemId' | 'title'>): Promise<void> {
  await page.goto(`/wallet?item=${itemId}`)
  const wallet = page.getByRole('button', { name: 'Pocket' })
  await press(page, 'Connect a wallet', async () => {
    await expect(wallet.or(page.getByRole('button', { name: 'Show what it owns' }))).toBeVisible({ timeout: 5_000 })
    // It stays connected when the page is loaded anew.
    if (await wallet.isVisible()) await wallet.click({ timeout: 5_000 })
  })
  await press(page, 'Show what it owns', () =>
    expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible({ timeout: 10_000 }),
  )
  await send(page)
  await shows(page, `Send “${title}”`)
}

/** What the recipient of a sent item has in the mailbox, as a gift. */
async function giftTo(email: string, { itemId, title }: Gift): Promise<Gift> {
  const { text } = await mailTo(email, /./)
  return { claimId: '', itemId, email, title, url: /https?:\/\/\S+\/claim\/\S+/.exec(text)![0] }
}

async function transactionOf(transferId: string): Promise<string> {
  const [row] = await inDatabase<{ id: string }>('SELECT transaction_id AS id FROM signed_transfers WHERE id = $1', [
    transferId,
  ])
  return row!.id
}

test('a wallet without coins sends an item to an email; its recipient takes it, which the sender’s page says', async ({
  page,
}) => {
  test.setTimeout(240_000)
  await page.setViewportSize(PHONE)
  await addAuthenticator(page)
  const gift = await sendGift({ title: 'The Little Egret' })
  await toDestination(page, gift)
  await page.getByRole('button', { name: /Make a wallet here/ }).click()
  await page.getByRole('button', { name: 'Put it in this wallet' }).click()
  await arrived(page, gift)
  await page.goto(`/wallet?item=${gift.itemId}`)
  const unlocked = () =>
    expect(page.getByRole('heading', { level: 1, name: gift.title })).toBeVisible({ timeout: 10_000 })
  await press(page, 'Unlock', unlocked)
  await send(page)

  // What it means is said while it is typed, and nothing is sent to half an address.
  await fillIn(page, 'grace@')
  await send(page)
  await expect(page.getByText('This isn’t a whole email address.')).toBeVisible()
  const email = `grace-${gift.itemId}@example.com`
  await fillIn(page, email)
  for (const said of ['for 30 days', 'and not before', 'it comes back to your address', 'costs you and them nothing'])
    await expect(page.getByText(said)).toBeVisible()
  await expectAccessible(page)
  await lookAround(page, 'wallet send to an email')
  await page.setViewportSize(PHONE)

  await send(page)
  await shows(page, 'It is kept for them')
  await expect(page.getByText(`has mailed ${email}`)).toBeVisible({ timeout: 60_000 })
  await expectAccessible(page)
  await lookAround(page, 'wallet kept for an email')
  await page.setViewportSize(PHONE)

  // The wallet's list doesn't have it, and leads to where it is.
  await page.goto('/wallet')
  await press(page, 'Unlock', () => expect(page.getByRole('heading', { name: 'Your items' })).toBeVisible())
  const link = page.getByRole('link', { name: gift.title })
  await expect(page.getByText('Nothing here yet')).toBeVisible()
  await expect(link).toContainText(email)
  await expectAccessible(page)
  await lookAround(page, 'wallet list with what was sent to an email')
  await page.setViewportSize(PHONE)
  await link.click()
  await shows(page, 'It is kept for them')

  const recipient = await page.context().newPage()
  await claimTo(recipient, await giftTo(email, gift), friend)
  await expect.poll(() => ownersOf(gift.itemId), BY_CHAIN).toEqual([friend])
  await shows(page, 'They have taken it')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Back to all items' }).click()
  await expect(page.getByText('Nothing here yet')).toBeVisible()
  await expect(link).toHaveCount(0)
})

test('nobody takes it within 30 days: it comes back to the wallet of the browser, and once more after that refused it', async ({
  page,
}) => {
  test.setTimeout(240_000)
  await addBrowserWallet(page, strict, stack().chain_id)
  const gift = await sendGift({ title: 'The Cattle Egret' })
  await claimTo(page, gift, strict)
  await openForm(page, gift)
  const email = `nobody-${gift.itemId}@example.com`
  await fillIn(page, email)
  await send(page)
  await shows(page, 'It is kept for them')
  await expect(page.getByText(`has mailed ${email}`)).toBeVisible({ timeout: 60_000 })
  // It reverts whatever it is called with.
  await chain('anvil_setCode', [strict, '0x5f5ffd'])
  // The clock is that of the whole stack, so its 30 days pass in its row.
  await inDatabase(`UPDATE email_claims SET expires_at = now() - interval '1 minute' WHERE email = $1`, [email])
  await shows(page, 'It couldn’t come back')
  await expectAccessible(page)
  await lookAround(page, 'wallet sent to an email return refused')
  const transferId = (await page.getByText(/^[0-9a-f-]{36}$/).textContent())!
  await chain('anvil_setCode', [strict, '0x'])

  // The organization finds it by the number that its sender names, and tries once more.
  const dashboard = await page.context().newPage()
  await signIn(dashboard)
  await dashboard.goto(`/dashboard/transactions/${await transactionOf(transferId)}`)
  await expect(dashboard.getByText('Its sender’s address doesn’t take it back')).toBeVisible()
  await expectAccessible(dashboard)
  await lookAround(dashboard, 'dashboard transaction of a refused return')
  await press(dashboard, 'Return it once more', () =>
    dashboard.getByRole('dialog').getByRole('button', { name: 'Return it once more' }).click({ timeout: 5_000 }),
  )
  await shows(page, 'It is back')
  await expect.poll(() => ownersOf(gift.itemId), BY_CHAIN).toEqual([strict])
  await page.getByRole('button', { name: 'Back to all items' }).click()
  await expect(page.getByRole('link', { name: gift.title })).toBeVisible()
})

test('a number of units goes to the address of a name, and units to no email', async ({ page }) => {
  test.setTimeout(180_000)
  const { id: collectionId } = await admin<{ id: string }>('POST', '/collections', {
    name: `Egrets ${Date.now()}`,
    deployment_request: { network_id: stack().chain_id, platform: { symbol: 'EGRET', variant: 'ERC1155' } },
  })
  const contract = async () =>
    (await admin<{ contract: string | null }>('GET', `/collections/${collectionId}`)).contract
  await expect.poll(contract, BY_CHAIN).not.toBeNull()
  const title = 'A Flock of Egrets'
  const item = { collection_id: collectionId, attributes: { title } }
  const { id } = await admin<{ id: string }>('POST', '/items', item)
  await admin('POST', '/items/lock', { item_id: id, max_supply: 10 })
  await admin('POST', '/mint-requests', { item_id: id, to_address: collector, quantity: 7 })
  await expect.poll(() => ownersOf(id), BY_CHAIN).toEqual([collector])

  await takeNames(page)
  await addBrowserWallet(page, collector, stack().chain_id)
  await openForm(page, { itemId: id, title })
  await expect(page.getByLabel('Address or ENS name')).toBeVisible()
  await fillIn(page, 'grace@example.com')
  await expect(page.getByText('Only items that exist once can be kept for an email')).toBeVisible()
  await expectAccessible(page)
  await lookAround(page, 'wallet send units')

  await page.getByLabel('How many').fill('8')
  await expect(page.getByText('A whole number from 1 to 7 is needed.')).toBeVisible()
  await page.getByLabel('How many').fill('3')
  await fillIn(page, 'friend.eth')
  await page.getByRole('button', { name: 'Find its address' }).click()
  await expect(page.getByText('friend.eth stands for this address. Is it the right one?')).toBeVisible()
  await expect(page.getByText(friend)).toBeVisible()
  await expectAccessible(page)

  // What is typed stays while the page asks for the item anew, as when the person comes back to it.
  const isTypedStill = async () => {
    await expect(page.getByRole('textbox', { name: /^Address/ })).toHaveValue('friend.eth')
    await expect(page.getByLabel('How many')).toHaveValue('3')
  }
  const askedAgain = page.waitForResponse((response) => response.url().includes(`/items/${id}`))
  await comeBack(page)
  await askedAgain
  await isTypedStill()
  // Also where who pays is asked anew, and nothing answers.
  await page.route('**/public/v1/transfer-terms?*', (route) => route.abort())
  let failures = 0
  page.on('requestfailed', () => void failures++)
  // What was asked before may still be under way: coming back asks nothing more then.
  await expect(async () => {
    await comeBack(page)
    expect(failures).toBeGreaterThan(0)
  }).toPass()
  await expect.poll(() => failures, { message: 'it is tried twice' }).toBeGreaterThan(1)
  await page.unroute('**/public/v1/transfer-terms?*')
  await isTypedStill()
  await send(page)
  await shows(page, 'It has arrived')
  await expect.poll(async () => (await ownersOf(id)).sort(), BY_CHAIN).toEqual([collector, friend].sort())
  await page.goto(`/wallet?address=${friend}`)
  const flock = page.getByRole('list', { name: /Egrets/ }).getByRole('link', { name: title })
  await expect(flock).toContainText('× 3')
})

/** The stack has no node of Ethereum, by which names are looked up: its page and its answer are as if it had one. */
async function takeNames(page: Page): Promise<void> {
  await page.route(/\/wallet(\?.*)?$/, async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replaceAll('\\"takesNames\\":false', '\\"takesNames\\":true')
    await route.fulfill({ response, body })
  })
  await page.route('**/public/v1/names', (route) => route.fulfill({ json: { address: friend } }))
}

test('what can’t be sent to an email says why, and each end of a send says what it means', async ({ page }) => {
  test.setTimeout(180_000)
  const gift = await sendGift({ title: 'The Reef Heron' })
  await claimTo(page, gift, collector)
  await addBrowserWallet(page, collector, stack().chain_id)
  const answer = (url: string, json: object) => page.route(url, (route) => route.fulfill({ json }))
  const terms = {
    network_id: stack().chain_id,
    transferable: true,
    signed: true,
    gas_payer: 'ORGANIZATION',
    reason: null,
    reason_code: null,
    escrow: { to_address: friend, days: 30 },
    transfer_id: null,
  }
  const refusals: [object, string][] = [
    [{ signed: false, escrow: null, gas_payer: 'HOLDER', reason_code: 'not_signed' }, 'is of an older kind'],
    [{ escrow: null }, 'Nothing can be kept for an email on this network right now.'],
    [{ gas_payer: 'HOLDER', reason_code: 'token_sent_today' }, 'network fee. The gas is paid for once a day'],
  ]
  for (const [change, said] of refusals) {
    await answer('**/public/v1/transfer-terms?*', { ...terms, ...change })
    await openForm(page, gift)
    await fillIn(page, 'grace@example.com')
    await expect(page.getByText(said)).toBeVisible()
  }
  await expectAccessible(page)
  await lookAround(page, 'wallet send to an email refused')

  // A mailbox that can't be mailed is refused by the API itself.
  await page.unrouteAll()
  const email = `bounced-${gift.itemId}@example.com`
  await inDatabase(
    `INSERT INTO suppressions (id, organization_id, email, reason) VALUES (gen_random_uuid(), $1, $2, 'BOUNCE')`,
    [stack().organization_id, email],
  )
  await openForm(page, gift)
  await fillIn(page, email)
  await send(page)
  await expect(page.getByText('Choose another one.')).toBeVisible()
  await expectAccessible(page)

  const transfer = {
    id: '0199a000-0000-7000-8000-000000000001',
    state: 'COMPLETED',
    to_address: friend,
    tx_hash: null,
    created_at: '2026-01-01T00:00:00Z',
    deadline: 0,
    failure: null,
  }
  const ends: [object, string][] = [
    [{ state: 'WAITING', held_until: null, failure: null }, 'It’s on its way'],
    [{ state: 'RETURNING', held_until: null, failure: null }, 'It’s on its way back'],
    [{ state: 'RETURNED', held_until: null, failure: null }, 'It is back'],
    [{ state: 'ENDED', held_until: null, failure: null }, 'It wasn’t sent'],
  ]
  await answer('**/public/v1/transfer-terms?*', { ...terms, transfer_id: 'one' })
  for (const [escrow, heading] of ends) {
    await answer('**/public/v1/transfers/one', { ...transfer, escrow })
    await page.goto(`/wallet?item=${gift.itemId}&send=1&address=${collector}`)
    await shows(page, heading)
    await expectAccessible(page)
    await lookAround(page, `wallet sent to an email ${(escrow as { state: string }).state.toLowerCase()}`)
  }
})
