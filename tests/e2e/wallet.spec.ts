import type { Page } from '@playwright/test'
import { expectAccessible } from './support/axe.ts'
import { arrived, claimTo, toDestination } from './support/claiming.ts'
import { admin, collection, type Gift, ownersOf, sendGift } from './support/gift.ts'
import { faultsOf } from './support/picture.ts'
import { press } from './support/press.ts'
import { BY_CHAIN, stack } from './support/stack.ts'
import { expect, test } from './support/test.ts'
import { addAuthenticator, addBrowserWallet } from './support/wallets.ts'

const account = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'

let shyBirds: Promise<string> | undefined

/** A deployed collection that isn't public. */
async function deployShyBirds(): Promise<string> {
  const { id: collectionId } = await admin<{ id: string }>('POST', '/collections', {
    name: `Shy birds ${Date.now()}`,
    is_public: false,
    deployment_request: { network_id: stack().chain_id, platform: { symbol: 'SHY', variant: 'ERC721' } },
  })
  const contract = async () =>
    (await admin<{ contract: string | null }>('GET', `/collections/${collectionId}`)).contract
  await expect.poll(contract, BY_CHAIN).not.toBeNull()
  return collectionId
}

/** An item of that collection, sent to a mailbox of its own. */
const sendSecretGift = async (title: string): Promise<Gift> =>
  sendGift({ title, collectionId: await (shyBirds ??= deployShyBirds()) })

test('an address is looked at without a wallet: what is public, its history and provenance, and nothing else', async ({
  page,
}) => {
  const [gift, secret] = [await sendGift({ title: 'The Wryneck' }), await sendSecretGift('The Shy Owl')]
  await claimTo(page, gift, account)
  await claimTo(page, secret, account)
  await page.goto('/wallet')
  await press(page, 'Look at an address', () =>
    page.getByLabel('Address', { exact: true }).fill(account, { timeout: 1_000 }),
  )
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Show what it owns' }).click()
  await expect(page.getByText('Only what is public is shown, and nothing can be moved.')).toBeVisible()
  const { id: collectionId } = await collection()
  const group = page.getByRole('list', { name: /River birds/ }).filter({ hasText: gift.title })
  await expect(group.getByRole('link', { name: gift.title })).toBeVisible()
  await expect(page.getByText(secret.title)).toHaveCount(0)
  await expectAccessible(page)

  await group.getByRole('link', { name: gift.title }).click()
  await expect(page.getByRole('heading', { level: 1, name: gift.title })).toBeVisible()
  await expect(page.getByText('Teal and copper')).toBeVisible()
  await expect(page.getByRole('row', { name: /^Made/ })).toBeVisible()
  await expect(page.getByRole('definition').getByRole('link', { name: /River birds/ })).toHaveAttribute(
    'href',
    `/c/${collectionId}`,
  )
  await expect(page.getByRole('link', { name: 'Its public page' })).toHaveAttribute('href', `/i/${gift.itemId}`)
  await expectAccessible(page)

  // The page has an address of its own, and the way back keeps the list.
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: gift.title })).toBeVisible()
  await page.getByRole('link', { name: 'All items' }).click()
  await expect(group).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: gift.title })).toBeVisible()
  await page.goto(`/wallet?address=${account}&item=${secret.itemId}`)
  await expect(page.getByRole('heading', { name: 'It isn’t shown here' })).toBeVisible()
  await expectAccessible(page)
})

test('units of an ERC-1155 token show how many there are, in the list and on their page', async ({ page }) => {
  const { id: collectionId } = await admin<{ id: string }>('POST', '/collections', {
    name: `Flocks ${Date.now()}`,
    deployment_request: { network_id: stack().chain_id, platform: { symbol: 'FLOCK', variant: 'ERC1155' } },
  })
  const contract = async () =>
    (await admin<{ contract: string | null }>('GET', `/collections/${collectionId}`)).contract
  await expect.poll(contract, BY_CHAIN).not.toBeNull()
  const attributes = { title: 'A Flock of Starlings' }
  const { id } = await admin<{ id: string }>('POST', '/items', { collection_id: collectionId, attributes })
  await admin('POST', '/items/lock', { item_id: id, max_supply: 10 })
  await admin('POST', '/mint-requests', { item_id: id, to_address: account, quantity: 7 })
  await expect.poll(() => ownersOf(id), BY_CHAIN).toEqual([account])
  await page.goto(`/wallet?address=${account}`)
  const shown = page.getByRole('list', { name: /Flocks/ }).getByRole('link', { name: attributes.title })
  await expect(shown).toContainText('× 7')
  await expectAccessible(page)
  await shown.click()
  await expect(page.getByRole('heading', { level: 1, name: attributes.title })).toContainText('× 7')
  await expect(page.getByRole('row', { name: /^Made × 7/ })).toBeVisible()
  await expectAccessible(page)
})

test('a connected wallet shows its private items after it has signed that it is here', async ({ page }) => {
  const secret = await sendSecretGift('The Shy Rail')
  await claimTo(page, secret, account)
  await addBrowserWallet(page, account, stack().chain_id)
  await page.goto('/wallet')
  await press(page, 'Connect a wallet', () => page.getByRole('button', { name: 'Pocket' }).click({ timeout: 5_000 }))
  const shown = page.getByRole('link', { name: secret.title })
  await press(page, 'Show what it owns', () => expect(page.getByText('Only public items are shown')).toBeVisible())
  await expect(page.getByRole('heading', { name: 'Your items' })).toBeVisible()
  await expect(shown).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Show private ones too' }).click()
  await expect(shown).toBeVisible()
  await shown.click()
  await expect(page.getByText('Its collection isn’t public, so it has no page that others could open.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Share it' })).toHaveCount(0)
})

test('what arrived leads to its page in the wallet, private items included', async ({ page }) => {
  const secret = await sendSecretGift('The Shy Heron')
  await addAuthenticator(page)
  await toDestination(page, secret)
  await page.getByRole('button', { name: /Make a wallet here/ }).click()
  await page.getByRole('button', { name: 'Put it in this wallet' }).click()
  await arrived(page, secret)
  await expect(page.getByRole('link', { name: 'See its page' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Open my wallet' }).click()
  await press(page, 'Unlock', () => expect(page.getByRole('heading', { level: 1, name: secret.title })).toBeVisible())
  await expectAccessible(page)
  await page.getByRole('link', { name: 'All items' }).click()
  await expect(page.getByText('Private', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Lock' }).click()
  await expect(page.getByRole('button', { name: 'Unlock' })).toBeVisible()
  await expect(page.getByText(secret.title)).toHaveCount(0)
})

test('a wallet whose list can’t be read says so, and that nothing is lost', async ({ page, context }) => {
  await page.route('**/public/v1/wallets/*/items*', (route) => route.abort())
  await page.goto(`/wallet?address=${account}`)
  await expect(page.getByText('The items can’t be listed right now.')).toBeVisible()
  await expectAccessible(page)
  await page.unroute('**/public/v1/wallets/*/items*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('The items can’t be listed right now.')).toHaveCount(0)
  await context.setOffline(true)
  await expect(page.getByText('You are offline')).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText('You are offline')).toHaveCount(0)
})

async function saveFile(page: Page): Promise<string> {
  await page.getByLabel('Password for the file').fill('a long password')
  await page.getByLabel('The same password again').fill('a long password')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download the wallet file' }).click()
  return (await download).path()
}

test('what brings a wallet back is tried before it is needed, and a second passkey opens the same wallet', async ({
  page,
}) => {
  const gift = await sendGift({ title: 'The Two-barred Crossbill' })
  const loseDevice = await addAuthenticator(page)
  await toDestination(page, gift)
  await page.getByRole('button', { name: /Make a wallet here/ }).click()
  await page.getByRole('button', { name: 'Put it in this wallet' }).click()
  await arrived(page, gift)
  await page.goto('/wallet')
  const recovery = page.locator('section').filter({ hasText: 'If you lose this device' }).last()
  await press(page, 'Unlock', () => expect(page.getByText('If you lose this device')).toBeVisible())
  await expect(page.getByText('Your passkey is backed up by the maker of your device')).toBeVisible()
  const [owner] = await ownersOf(gift.itemId)

  await recovery.getByRole('button', { name: 'Save the file' }).click()
  const file = await saveFile(page)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Close' }).click()
  await recovery.getByRole('button', { name: 'Try it' }).click()
  await page.getByRole('button', { name: 'Try a file' }).click()
  await page.getByLabel('Wallet file').setInputFiles(file)
  await page.getByLabel('Its password').fill('a long password')
  await page.getByRole('dialog').getByRole('button', { name: 'Unlock' }).click()
  await expect(page.getByText('It opens this wallet')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Close' }).click()

  await addAuthenticator(page, { transport: 'usb', backedUp: false })
  await recovery.getByRole('button', { name: 'Add one' }).click()
  await expectAccessible(page)
  const kept = page.waitForRequest(/\/copies$/)
  await page.getByRole('button', { name: 'Make the passkey' }).click()
  expect((await kept).postDataJSON()).toEqual({
    proof: expect.any(String),
    copy_id: expect.stringMatching(/^[\w-]{43}$/),
    sealed: expect.stringMatching(/^[\w-]{80}$/),
  })
  await page.getByRole('button', { name: 'Check the new passkey' }).click()
  await expect(page.getByText('You can use either passkey from now on.')).toBeVisible()
  await page.getByRole('button', { name: 'Close' }).click()
  const added = page.getByRole('region', { name: 'Added passkeys' })
  await expect(added.getByText(/^Added on/)).toBeVisible()

  // The device is gone, with all that its browser knew.
  await loseDevice()
  await page.evaluate(() => localStorage.clear())
  await page.goto('/wallet')
  await press(page, 'Unlock', () =>
    expect(page.getByRole('button', { name: 'Open my wallet' })).toBeVisible({ timeout: 5_000 }),
  )
  await expect(page.getByText(owner!)).toBeVisible()
  await page.getByRole('button', { name: 'Open my wallet' }).click()
  await expect(page.getByRole('link', { name: gift.title })).toBeVisible()
  await expect(page.getByText(owner!)).toBeVisible()

  // It is the only way in that is known, so it isn't removed without a warning.
  await expect(added.getByText('(in use now)')).toBeVisible()
  await added.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('It may be the last way in')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Remove it' }).click()
  await expect(page.getByText('Tick the box first')).toBeVisible()
  await page.getByLabel('I have another passkey or the file').check()
  await page.getByRole('button', { name: 'Remove it' }).click()
  await expect(added).toHaveCount(0)
  await page.getByRole('button', { name: 'Lock' }).click()
  await page.evaluate(() => localStorage.clear())
  await page.goto('/wallet')
  await press(page, 'Unlock', () =>
    expect(page.getByText('This passkey was made for a wallet but not finished.')).toBeVisible(),
  )
})

test('a second passkey whose copy can’t be read opens nothing in its place', async ({ page }) => {
  const gift = await sendGift({ title: 'The Parrot Crossbill' })
  const loseDevice = await addAuthenticator(page)
  await toDestination(page, gift)
  await page.getByRole('button', { name: /Make a wallet here/ }).click()
  await page.getByRole('button', { name: 'Put it in this wallet' }).click()
  await arrived(page, gift)
  await page.goto('/wallet')
  await press(page, 'Unlock', () => expect(page.getByText('If you lose this device')).toBeVisible())
  await addAuthenticator(page, { transport: 'usb' })
  await page.route('**/public/v1/wallets/*/copies', (route) => route.abort())
  await page.getByRole('button', { name: 'Add one' }).click()
  await page.getByRole('button', { name: 'Make the passkey' }).click()
  await expect(page.getByText('We can’t be reached right now.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Finish the new passkey' })).toBeVisible()
  await loseDevice()
  await page.evaluate(() => localStorage.clear())
  await page.goto('/wallet')
  await press(page, 'Unlock', () =>
    expect(page.getByText('This passkey was made for a wallet but not finished.')).toBeVisible(),
  )
  await page.route('**/public/v1/wallet-copies', (route) => route.abort())
  await page.getByRole('button', { name: 'Unlock' }).click()
  await expect(page.getByText('We could not be reached to look for the wallet of this passkey.')).toBeVisible()
})

for (const colorScheme of ['light', 'dark'] as const)
  test(`long and right-to-left names fit a 320-pixel screen with text twice as large, ${colorScheme}`, async ({
    page,
  }) => {
    const long = `مالك الحزين الليلي Donaudampfschifffahrtsgesellschaftskapitän ${colorScheme}`
    const gift = await sendGift({ title: long })
    await claimTo(page, gift, account)
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width: 320, height: 640 })
    const expectFits = async () => {
      await page.addStyleTag({ content: 'html { font-size: 200% }' })
      expect(await faultsOf(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
      await expectAccessible(page)
    }
    await page.goto(`/wallet?address=${account}`)
    await expect(page.getByRole('link', { name: long })).toBeVisible()
    await expectFits()
    await page.goto(`/wallet?address=${account}&item=${gift.itemId}`)
    await expect(page.getByRole('heading', { level: 1, name: long })).toBeVisible()
    await expect(page.getByRole('row', { name: /^Made/ })).toBeVisible()
    await expectFits()
    // Everything is reached with the keyboard, and the way back gives the list.
    await page.getByRole('link', { name: 'All items' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Its items' })).toBeVisible()
  })
