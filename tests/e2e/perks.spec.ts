import fs from 'node:fs'
import type { Page } from '@playwright/test'
import { expectAccessible } from './support/axe.ts'
import { admin, collection, ownersOf } from './support/gift.ts'
import { signIn } from './support/newcomer.ts'
import { freeOffer } from './support/selling.ts'
import { BY_CHAIN, stack } from './support/stack.ts'
import { expect, test } from './support/test.ts'
import { addBrowserWallet } from './support/wallets.ts'

const account = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'

test.use({ viewport: { width: 390, height: 844 } })

/** A token of the account. */
async function giveItem(title: string): Promise<string> {
  const { id: collectionId } = await collection()
  const { id } = await admin<{ id: string }>('POST', '/items', { collection_id: collectionId, attributes: { title } })
  await admin('POST', '/items/lock', { item_id: id })
  await admin('POST', '/mint-requests', { item_id: id, to_address: account })
  await expect.poll(() => ownersOf(id), BY_CHAIN).toEqual([account])
  return id
}

const perks = (page: Page) => page.locator('section').filter({ has: page.getByRole('heading', { name: 'Perks' }) })

/** Adds a perk on the page of an item. `fill` fills what its kind needs. */
async function addPerk(
  page: Page,
  kind: string,
  title: string,
  fill: (dialog: ReturnType<Page['getByRole']>) => Promise<void>,
) {
  const dialog = page.getByRole('dialog')
  await expect(async () => {
    await perks(page).getByRole('button', { name: 'Add a perk' }).click()
    await expect(dialog).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await dialog.getByLabel('Title', { exact: true }).fill(title)
  await dialog.getByLabel(kind).check()
  await fill(dialog)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Add it' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(perks(page).getByRole('heading', { name: title })).toBeVisible()
}

test('an organization adds perks, everybody learns of them, and the holder alone opens them and takes the code', async ({
  page,
}) => {
  test.setTimeout(180_000)
  const itemId = await giveItem('The Barn Swallow')
  await signIn(page)
  await page.goto(`/dashboard/items/${itemId}`)
  await addPerk(page, 'A text', 'Where it nests', (dialog) =>
    dialog.getByLabel('Text', { exact: true }).fill('Under the third bridge.\nCome at dawn.'),
  )
  await addPerk(page, 'A file', 'A map', (dialog) =>
    dialog.getByLabel('File', { exact: true }).setInputFiles({
      name: 'Karte für Ada.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('Third bridge, left side.'),
    }),
  )
  await addPerk(page, 'A code each', 'A seat in the boat', async (dialog) => {
    await dialog.getByLabel('Or a file with one code a line').setInputFiles({
      name: 'codes.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('BOAT-1\r\nBOAT-2\r\nBOAT-1\r\n'),
    })
    await expect(dialog.getByText('2 different codes.')).toBeVisible()
  })
  await expect(perks(page).getByText('2 of 2 codes are left.')).toBeVisible()
  await expectAccessible(page)

  // Everybody sees the titles, and that a code is given once.
  await page.goto(`/i/${itemId}`)
  const told = page.getByRole('region', { name: 'Who holds it also gets' })
  await expect(told.getByText('A seat in the boat')).toBeVisible()
  await expect(told.getByText('given once: to the first holder who asks for it')).toBeVisible()
  expect(await page.content()).not.toMatch(/BOAT-|third bridge/)
  await expectAccessible(page)

  // So does a buyer, where it is sold.
  const { url, itemId: sold } = await freeOffer('BETA_FREE_MINT')
  await admin('POST', '/perks', { item_id: sold, title: 'A letter of thanks', text: 'Dear buyer' })
  await page.goto(url)
  await expect(told.getByText('A letter of thanks')).toBeVisible()
  await expectAccessible(page)

  await addBrowserWallet(page, account, stack().chain_id)
  await page.goto(`/wallet?address=${account}&item=${itemId}`)
  await expect(page.getByRole('heading', { level: 1, name: 'The Barn Swallow' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Perks' })).toHaveCount(0)
  await page.goto('/wallet')
  await expect(async () => {
    await page.getByRole('button', { name: 'Connect a wallet' }).click()
    await page.getByRole('button', { name: 'Pocket' }).click({ timeout: 5_000 })
  }).toPass()
  await expect(async () => {
    await page.getByRole('button', { name: 'Show what it owns' }).click()
    await expect(page.getByText('Only public items are shown')).toBeVisible()
  }).toPass()
  await page.getByRole('link', { name: 'The Barn Swallow' }).click()
  await expect(perks(page).getByText('Sign the text above with your wallet first')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Show private ones too' }).click()
  await perks(page).getByRole('button', { name: 'Show my perks' }).click()
  await expect(perks(page).getByText('Under the third bridge.')).toBeVisible()
  await expectAccessible(page)
  const download = page.waitForEvent('download')
  await perks(page).getByRole('button', { name: 'Download Karte für Ada.txt' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('Karte für Ada.txt')
  expect(fs.readFileSync(await file.path(), 'utf8')).toBe('Third bridge, left side.')
  await expect(perks(page).getByText('its next holder gets none')).toBeVisible()
  await perks(page).getByRole('button', { name: 'Get the code' }).click()
  await expect(perks(page).getByText('BOAT-1', { exact: true })).toBeVisible()
  await expect(perks(page).getByRole('button', { name: 'Get the code' })).toHaveCount(0)
  await expectAccessible(page)
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBe(390)

  await page.goto(`/i/${itemId}`)
  await expect(told.getByText('which was given to a holder already. A later holder gets none.')).toBeVisible()

  // The organization sees who got it, adds codes, edits and deletes.
  await page.goto(`/dashboard/items/${itemId}`)
  await expect(perks(page).getByText('1 of 2 codes are left.')).toBeVisible()
  await perks(page).getByRole('link', { name: 'Who got which code' }).click()
  await expect(page.getByRole('row', { name: /BOAT-1/ })).toContainText(account.slice(0, 6))
  await expect(page.getByText('BOAT-2')).toHaveCount(0)
  await expectAccessible(page)
  await page.goto(`/dashboard/items/${itemId}`)
  await expect(async () => {
    await perks(page).getByRole('button', { name: 'Add codes' }).click()
    await page.getByRole('dialog').getByLabel('Codes', { exact: true }).fill('BOAT-2\nBOAT-3', { timeout: 1_000 })
  }).toPass()
  await page.getByRole('dialog').getByRole('button', { name: 'Add them' }).click()
  await expect(page.getByText('Codes added: 1. There already: 1.')).toBeVisible()
  await expect(perks(page).getByText('2 of 3 codes are left.')).toBeVisible()
  const nests = perks(page).getByRole('listitem').filter({ hasText: 'Where it nests' })
  await nests.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('dialog').getByLabel('Say on public pages that holders get this').uncheck()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(nests.getByText('Not announced')).toBeVisible()
  await nests.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the perk' }).click()
  await expect(nests).toHaveCount(0)
})
