import type { Page } from '@playwright/test'
import { expectAccessible } from './support/axe.ts'
import { inDatabase } from './support/database.ts'
import { asMember, makeNewcomer, signIn } from './support/newcomer.ts'
import { mailTo } from './support/stack.ts'
import { makeStock } from './support/stock.ts'
import { expect, test } from './support/test.ts'

const csv = (name: string, ...lines: string[]) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(lines.join('\r\n')),
})

/** Chooses a file. A page that was just opened may not listen to its input yet. */
const choose = (page: Page, file: ReturnType<typeof csv>) =>
  expect(async () => {
    await page.locator('input[type=file]').setInputFiles(file)
    await expect(page.getByText(file.name, { exact: true })).toBeVisible({ timeout: 2_000 })
  }).toPass()

test('an items file is checked line by line, imported and exported again', async ({ page }) => {
  const { email } = await makeNewcomer()
  await signIn(page, email)
  await page.goto('/dashboard/imports')
  await expect(page.getByRole('heading', { name: 'No imports yet' })).toBeVisible()
  await expectAccessible(page)
  const { id: collectionId } = await asMember<{ id: string }>(page.request, 'POST', '/collections', {
    name: 'River birds',
  })

  // A missing and an unreadable file are explained beside the field.
  await page.goto(`/dashboard/imports/new?kind=ITEMS&collection_id=${collectionId}`)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Check the file' }).click()
  await expect(page.getByText('Choose a CSV file, or drop one here.')).toBeVisible()
  await choose(page, csv('colours.csv', 'colour', 'grey'))
  await page.getByRole('button', { name: 'Check the file' }).click()
  await expect(page.getByText('There is no column “title”. The first line names “colour”.')).toBeVisible()
  const sample = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Sample file' }).click()
  expect((await sample).suggestedFilename()).toBe('items.csv')

  // One line is invalid, one a duplicate: they are named, and the others can be imported without them.
  await choose(
    page,
    csv(
      'birds.csv',
      'Title;Colour;External ID',
      'Night heron;grey;b-1',
      ';white;b-2',
      'Kingfisher;blue;b-3',
      'Wren;brown;b-1',
    ),
  )
  await page.getByRole('button', { name: 'Check the file' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'birds.csv' })).toBeVisible()
  await expect(page.getByText('2 items will be created once you start the import.')).toBeVisible()
  await expect(page.getByRole('row', { name: /^3 / })).toContainText('Title: This is needed.')
  await expect(page.getByRole('row', { name: /^5 / })).toContainText('External ID: The same stands in line 2.')
  await expectAccessible(page)
  await page.getByLabel('Verdict').selectOption('INVALID')
  await expect(page).toHaveURL(/verdict=INVALID/)
  await expect(page.getByRole('rowheader')).toHaveCount(1)
  await page.getByRole('button', { name: 'Start' }).click()
  await expect(page.getByRole('dialog')).toContainText('2 lines of the file are skipped.')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create them' }).click()
  await expect(page.getByRole('heading', { level: 1 }).locator('..')).toContainText('Done')
  await page.getByRole('link', { name: 'Clear' }).click()
  await page.getByRole('link', { name: 'Kingfisher, b-3' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Kingfisher' })).toBeVisible()
  await expect(page.getByText('blue')).toBeVisible()

  // The items are exported.
  await page.goto('/dashboard/imports')
  await expect(page.getByRole('link', { name: 'birds.csv' })).toBeVisible()
  await page.locator('#exports').getByLabel('Collection').selectOption(collectionId)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: /^Download/ }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('items.csv')
  const exported = await file
    .createReadStream()
    .then(async (stream) => Buffer.concat(await stream.toArray()).toString('utf8'))
  expect(exported.split('\r\n').length).toBe(4)
  expect(exported).toContain('Night heron')
})

test('a claims file sends one item to each email, and sends nothing when imported again', async ({ page }) => {
  test.setTimeout(120_000)
  const { email, organizationId } = await makeNewcomer()
  await signIn(page, email)
  const { collectionId } = await makeStock(organizationId, ['Wren', 'Dipper', 'Sandpiper'])
  const [ada, grace] = ['ada', 'grace'].map((name) => `${name}-${organizationId}@example.com`) as [string, string]

  await page.goto('/dashboard/claims')
  await page.getByRole('link', { name: 'Import', exact: true }).click()
  await expect(page.getByRole('radio', { name: /^Email claims/ })).toBeChecked()
  await page.getByLabel('Collection', { exact: true }).selectOption(collectionId)
  await choose(
    page,
    csv(
      'guests.csv',
      'E-Mail,Item,Table',
      `${ada.toUpperCase()},next,4`,
      `${ada},next,4`,
      `${grace},next,5`,
      'nobody,next,6',
    ),
  )
  await page.getByRole('button', { name: 'Check the file' }).click()
  await expect(page.getByText('2 emails will be sent once you start the import.')).toBeVisible()
  await expect(page.getByText('Nobody knows this column: Table')).toBeVisible()
  await expect(page.getByRole('row', { name: /^2 / })).toContainText('Table: This column is unknown: nothing reads it.')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Start' }).click()
  await expect(page.getByRole('dialog')).toContainText('These columns are ignored: Table.')
  await page.getByRole('button', { name: 'Start without these columns' }).click()
  await expect(page.getByText('Ignored columns')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 }).locator('..')).toContainText('Done')
  await expectAccessible(page)
  expect((await mailTo(ada, /./)).text).toContain('/claim/')
  await mailTo(grace, /./)

  // The same file again has nothing left to import.
  await page.goto(`/dashboard/imports/new?kind=EMAIL_CLAIMS&collection_id=${collectionId}`)
  await choose(page, csv('guests.csv', 'E-Mail,Item', `${ada},next`, `${grace},next`))
  await page.getByRole('button', { name: 'Check the file' }).click()
  await expect(page.getByText('No line of this file can be imported.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Start' })).toHaveCount(0)
})

test('the items of a claims file are those of the chosen collection', async ({ page }) => {
  const { email, organizationId } = await makeNewcomer()
  await signIn(page, email)
  const [prints, casts, single] = [
    await makeStock(organizationId, ['Linocut', 'Etching']),
    await makeStock(organizationId, ['Bronze']),
    await makeStock(organizationId, ['Wren']),
  ]
  await inDatabase(`UPDATE collections SET token_type = 'ERC1155' WHERE id = ANY ($1)`, [
    [prints.collectionId, casts.collectionId],
  ])
  await page.goto(`/dashboard/imports/new?kind=EMAIL_CLAIMS&collection_id=${prints.collectionId}`)
  const items = page.getByLabel('Item', { exact: true }).getByRole('option')
  const collection = page.getByLabel('Collection', { exact: true })
  await expect(items.filter({ hasText: /Linocut|Etching/ })).toHaveCount(2)
  await expect(items.filter({ hasText: 'Bronze' })).toHaveCount(0)
  await expect(async () => {
    await collection.selectOption(casts.collectionId)
    await expect(items.filter({ hasText: 'Bronze' })).toHaveCount(1, { timeout: 2_000 })
  }).toPass()
  await expect(items).toHaveCount(2)
  await collection.selectOption(single.collectionId)
  await expect(items).toHaveCount(0)
  await collection.selectOption('')
  await expect(items.filter({ hasText: /Linocut|Etching|Bronze/ })).toHaveCount(3)
})

test.describe('on a narrow phone', () => {
  test.use({ colorScheme: 'light', viewport: { width: 320, height: 700 } })

  test('the import pages fit a narrow phone', async ({ page }) => {
    const { email } = await makeNewcomer()
    await signIn(page, email)
    const { id } = await asMember<{ id: string }>(page.request, 'POST', '/collections', {
      name: 'Longwordedcollection'.repeat(5),
    })
    const long = 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(2)
    const checked = await asMember<{ id: string }>(page.request, 'POST', '/items/import', {
      collection_id: id,
      csv: `title,${long}\n${long},x\n,y\n`,
    })
    for (const path of [
      '/dashboard/imports',
      '/dashboard/imports/new',
      `/dashboard/imports/new?kind=EMAIL_CLAIMS`,
      `/dashboard/imports/${checked.id}`,
    ]) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
        `${path} is too wide`,
      ).toBeLessThanOrEqual(0)
      await expectAccessible(page)
    }
  })
})
