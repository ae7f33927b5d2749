import type { Page } from '@playwright/test'
import { expectAccessible } from './support/axe.ts'
import { asMember, makeNewcomer, signIn } from './support/newcomer.ts'
import { BY_CHAIN, stack } from './support/stack.ts'
import { expect, test } from './support/test.ts'

const payout = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'

/** A deployed collection with locked items, made with the page's session. */
async function makeItems(page: Page, titles: string[]): Promise<{ collectionId: string; itemIds: string[] }> {
  const { id: collectionId } = await asMember<{ id: string }>(page.request, 'POST', '/collections', {
    name: `River birds ${Date.now()}`,
    deployment_request: { network_id: stack().chain_id, platform: { symbol: 'BIRD', variant: 'ERC721' } },
  })
  const { item_ids: itemIds } = await asMember<{ item_ids: string[] }>(page.request, 'POST', '/items/bulk', {
    items: titles.map((title) => ({ collection_id: collectionId, attributes: { title } })),
  })
  await asMember(page.request, 'POST', '/items/lock', { collection_id: collectionId })
  const contract = async () =>
    (await asMember<{ contract: string | null }>(page.request, 'GET', `/collections/${collectionId}`)).contract
  await expect.poll(contract, { ...BY_CHAIN, message: 'the collection is deployed' }).not.toBeNull()
  return { collectionId, itemIds }
}

type Intent = { id: string; data: { client_secret: string; publishable_key: string } }

/** Buys by card through the API, as the checkout page does. */
async function buyByCard(page: Page, listingId: string, email: string): Promise<void> {
  const created = await page.request.post('/public/v1/purchase-intents', {
    data: { listing_id: listingId, buyer: { email } },
  })
  expect(created.status(), await created.text()).toBe(201)
  const { data } = (await created.json()) as Intent
  const payment = data.client_secret.split('_secret')[0]
  const paid = await page.request.post(`/sandbox/cards/v1/payment_intents/${payment}/confirm`, {
    form: { client_secret: data.client_secret, key: data.publishable_key, payment_method: 'pm_card_visa' },
  })
  expect(paid.status(), await paid.text()).toBe(200)
}

const badgeOf = (page: Page) => page.getByRole('heading', { level: 1 }).locator('..')

test('a member connects cards, sets a payout address, sells an item by card, sees the sale and refunds it', async ({
  page,
}) => {
  test.setTimeout(300_000)
  const { email } = await makeNewcomer()
  await signIn(page, email)
  const { itemIds } = await makeItems(page, ['The Night Heron', 'The Kingfisher'])

  // The empty states link to the form.
  await page.goto('/dashboard/purchases')
  await expect(page.getByRole('heading', { name: 'No purchases yet' })).toBeVisible()
  await page.goto('/dashboard/listings')
  await expect(page.getByRole('heading', { name: 'Nothing for sale yet' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'New listing' }).first().click()
  await page.getByRole('link', { name: /The Night Heron/ }).click()

  // Missing settings are named before submitting, and errors are shown beside the field.
  await page.getByRole('radio', { name: /They pay with a wallet/ }).check()
  await expect(page.getByText('The organization has no payout address')).toBeVisible()
  await page.getByRole('radio', { name: /They pay by card/ }).check()
  await expect(page.getByText('There is no TEST account at the card provider')).toBeVisible()
  // All wrong fields are named at once. A price that reads differently in two of our languages is one of them.
  const price = page.getByLabel('Price of one')
  await price.fill('12.345')
  await page.getByLabel('Ends').fill('2020-01-01T10:00')
  await page.getByRole('button', { name: 'Put it on sale' }).click()
  await expect(page.getByText('“12.345” can be read as 12.345 and as 12345.')).toBeVisible()
  await expect(page.getByText('This time has passed.')).toBeVisible()
  await expect(page.getByText('Connect the card provider first').first()).toBeVisible()
  await expect(price).toBeFocused()
  await expect(price).toHaveAttribute('aria-invalid', 'true')
  await price.fill('12,50')
  await expect(price).not.toHaveAttribute('aria-invalid')
  await expect(page.getByRole('complementary', { name: 'Preview' }).getByText('$12.50')).toBeVisible()
  await page.getByLabel('Ends').fill('')
  await price.fill('12.50')
  await expect(page.getByRole('complementary', { name: 'Preview' }).getByText('$12.50')).toBeVisible()
  await page.getByRole('button', { name: 'Put it on sale' }).click()
  await expect(page.getByText('Connect the card provider first').first()).toBeVisible()
  await expect(page.getByLabel('Price of one')).toHaveValue('12.50')
  await expectAccessible(page)

  // Onboarding on the card provider's page, and back.
  await page.getByRole('link', { name: 'Connect the card provider' }).click()
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL(/\/dashboard\/payments/)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Connect the card provider' }).click()
  await expect(page).toHaveURL(/\/sandbox\/cards\/onboarding\//)
  await page.goto('/dashboard/payments')
  await expect(page.getByText('Being set up')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Continue at the card provider' }).click()
  await page.getByRole('button', { name: 'Send it in' }).click()
  await page.getByRole('link', { name: 'Back to Vitrine' }).click()
  await expect(page).toHaveURL(/\/dashboard\/payments/)
  await expect(page.getByText('Takes payments')).toBeVisible()
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(page.getByText('The account can charge cards.')).toBeVisible()

  // The payout address, and the sites that may embed the checkout.
  await page.goto('/dashboard/settings')
  await page.getByLabel('Address', { exact: true }).fill(payout.replace('D', 'd'))
  await page.getByRole('button', { name: 'Save the address' }).click()
  await expect(page.getByText('The checksum of this address is wrong').first()).toBeVisible()
  await page.getByLabel('Address', { exact: true }).fill(payout)
  await page.getByRole('button', { name: 'Save the address' }).click()
  await expect(page.getByText('The payout address is set.')).toBeVisible()
  await page.getByRole('textbox', { name: /^Sites/ }).fill('shop.example.com')
  await page.getByRole('button', { name: 'Save the sites' }).click()
  await expect(page.getByText('An origin is needed').first()).toBeVisible()
  await page.getByRole('textbox', { name: /^Sites/ }).fill('https://shop.example.com')
  await page.getByRole('button', { name: 'Save the sites' }).click()
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible()

  // The listing is put on sale.
  await page.goto(`/dashboard/items/${itemIds[0]}`)
  await page.getByRole('link', { name: 'Sell', exact: true }).click()
  await page.getByLabel('Price of one').fill('12.50')
  await page.getByLabel('Currency').selectOption('EUR')
  await expect(page.getByRole('complementary', { name: 'Preview' }).getByText('€12.50')).toBeVisible()
  await page.getByRole('button', { name: 'Put it on sale' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'The Night Heron' })).toBeVisible()
  await expect(badgeOf(page)).toContainText('On sale')
  await expect(page.getByText('It can be embedded on https://shop.example.com.')).toBeVisible()
  await expect(page.getByText('This listing', { exact: true })).toBeVisible() // The ledger shows the hold.
  await expectAccessible(page)
  const listingPath = new URL(page.url()).pathname
  const listingId = listingPath.split('/').at(-1)!
  await expect(page.getByRole('link', { name: /Checkout page/ })).toHaveAttribute('href', `/l/${listingId}`)

  // Paused and resumed.
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('button', { name: 'Pause it' }).click()
  await expect(badgeOf(page)).toContainText('Paused')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(badgeOf(page)).toContainText('On sale')
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('button', { name: 'Pause it' }).click()
  await expect(badgeOf(page)).toContainText('Paused')
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('button', { name: 'Resume it' }).click()
  await expect(badgeOf(page)).toContainText('On sale')

  // A buyer buys it.
  const buyer = `ada-${listingId}@example.com`
  await buyByCard(page, listingId, buyer)
  await expect
    .poll(async () => (await asMember<{ status: string }>(page.request, 'GET', `/listings/${listingId}`)).status)
    .toBe('COMPLETE')
  await page.goto('/dashboard/purchases')
  await page.getByLabel('Buyer or id').fill(buyer)
  await expect(page.getByRole('rowheader')).toHaveCount(1)
  await expectAccessible(page)
  await page.getByRole('link', { name: buyer, exact: true }).click()
  await expect(page.getByRole('list', { name: 'Progress' })).toContainText('Paid. Done.')
  await expect(page.getByRole('link', { name: 'Email claim', exact: true })).toBeVisible()
  await expectAccessible(page)

  // The sales figures show it, as a chart and as a table.
  await page.goto('/dashboard')
  await expect(page.getByText('€12.50 on test networks, in 1 purchase')).toBeVisible()
  await page.getByText('The same as a table').click()
  await expect(
    page.getByRole('region', { name: 'EUR, after refunds, as a table' }).getByRole('cell', { name: '€12.50' }),
  ).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: '12 weeks' }).click()
  await expect(page.getByRole('link', { name: '12 weeks' })).toHaveAttribute('aria-current', 'true')

  // The purchase is refunded.
  await page.goto(`/dashboard/purchases?buyer=${encodeURIComponent(buyer)}`)
  await page.getByRole('link', { name: buyer, exact: true }).click()
  await page.getByRole('button', { name: 'Refund' }).click()
  await expect(page.getByRole('button', { name: 'Refund it' })).toBeDisabled()
  await page.getByRole('dialog').getByRole('textbox').fill('refund')
  await page.getByRole('button', { name: 'Refund it' }).click()
  await expect(badgeOf(page)).toContainText('Refunded', { timeout: 60_000 })
  await expect(page.getByText('All of it was refunded.')).toBeVisible()
  await expectAccessible(page)
})

test('a listing with an allow list is checked line by line, drafted, scheduled, changed and cancelled', async ({
  page,
}) => {
  test.setTimeout(240_000)
  const { email } = await makeNewcomer()
  await signIn(page, email)
  const { collectionId } = await makeItems(page, ['Wren', 'Dipper', 'Sandpiper'])

  await page.goto(`/dashboard/listings/new?collection_id=${collectionId}`)
  await expect(page.getByRole('radio', { name: /It is free/ })).toBeChecked() // The only provider that is set up.
  await page.getByLabel('How many in all').fill('4')
  await page.getByRole('radio', { name: /Those on a list/ }).check()
  await page
    .getByLabel(/Addresses and emails/)
    .fill(
      [
        'email,name',
        'ada@example.com,Ada',
        '0x70997970C51812dc3A010C7d01b50e0d17dc79c8',
        'grace',
        'ADA@example.com',
      ].join('\n'),
    )
  await expect(page.getByRole('status').filter({ hasText: '1 email, 1 repeated line, 2 wrong lines' })).toBeVisible()
  await expect(page.getByText('The checksum of this address is wrong')).toBeVisible()
  await expect(page.getByText('This is neither an address nor an email address.')).toBeVisible()
  await expectAccessible(page)
  // With wrong lines the form is refused; several addresses on a line are several.
  const list = page.getByLabel(/Addresses and emails/)
  await page.getByRole('button', { name: 'Save as draft' }).click()
  await expect(page.getByText('2 entries can’t be read, the first in line 3. Correct or remove them.')).toBeVisible()
  await expect(list).toBeFocused()
  await page.getByRole('button', { name: 'Remove these lines' }).click()
  await expect(list).toHaveValue('ada@example.com,Ada')
  await list.fill('ada@example.com, linus@example.com')
  await expect(list).not.toHaveAttribute('aria-invalid')
  await page.getByRole('button', { name: 'Save as draft' }).click()
  await expect(badgeOf(page)).toContainText('Draft')
  await expect(page.getByRole('link', { name: 'Those on a list (2)' })).toBeVisible()

  // Units are checked when the listing goes on sale: four of three are refused.
  await page.getByRole('button', { name: 'Put on sale' }).click()
  await page.getByRole('button', { name: 'Put it on sale' }).click()
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('Not enough units are free')
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete the draft' }).click()
  await expect(page).toHaveURL(/\/dashboard\/listings$/)

  // Again with three units and a start in the future.
  await page.goto(`/dashboard/listings/new?collection_id=${collectionId}`)
  await page.getByLabel('How many in all').fill('3')
  await page.getByLabel('At most for one buyer').fill('1')
  await page.getByRole('radio', { name: /Those on a list/ }).check()
  await page.getByLabel('Starts').fill('2040-05-01T10:00')
  await page.getByLabel('Ends').fill('2040-04-01T10:00')
  await page.getByRole('button', { name: 'Put it on sale' }).click()
  await expect(page.getByText('The end must be after the start.').first()).toBeVisible()
  await page.getByLabel('Ends').fill('2040-06-01T10:00')
  await page.getByRole('button', { name: 'Put it on sale' }).click()
  await expect(badgeOf(page)).toContainText('Scheduled')
  const listingPath = new URL(page.url()).pathname

  // Entries are added from a file, and one is removed.
  await page.getByRole('link', { name: 'Those on a list (0)' }).click()
  await page.locator('input[type=file]').setInputFiles({
    name: 'list.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`"who"\r\n"${payout}"\r\n"grace@example.com"\r\n`),
  })
  await expect(page.getByRole('status').filter({ hasText: '1 address, 1 email' })).toBeVisible()
  await page.getByRole('button', { name: 'Add them' }).click()
  await expect(page.getByText('2 added. The list has 2 entries now.')).toBeVisible()
  await expect(page.getByRole('rowheader')).toHaveCount(2)
  await expectAccessible(page)
  await page.getByLabel(/Addresses and emails/).fill('grace@example.com')
  await page.getByRole('button', { name: 'Remove them' }).click()
  await expect(page.getByText('1 removed. The list has 1 entry now.')).toBeVisible()
  await page.goto(`${listingPath}/allow-list?search=nobody`)
  await expect(page.getByRole('heading', { name: 'No matches' })).toBeVisible()

  // The terms are changed; then the listing is cancelled, which needs its title to be typed.
  await page.goto(`${listingPath}/edit`)
  await page.getByLabel('At most for one buyer').fill('2')
  await expect(page.getByLabel('Starts')).toHaveValue('2040-05-01T10:00')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('At most 2', { exact: true })).toBeVisible()
  const title = await page.getByRole('heading', { level: 1 }).innerText()
  await page.getByRole('button', { name: 'Cancel it' }).click()
  const confirm = page.getByRole('button', { name: 'Cancel the listing' })
  await expect(confirm).toBeDisabled()
  await page.getByRole('dialog').getByRole('textbox').fill(title)
  await confirm.click()
  await expect(page.getByText('It was cancelled', { exact: false })).toBeVisible()
  await page.goto('/dashboard/listings?status=CANCELLED')
  await expect(page.getByRole('rowheader')).toHaveCount(1)
  await page.goto('/dashboard/listings?status=ACTIVE')
  await expect(page.getByRole('heading', { name: 'No listings match' })).toBeVisible()

  // A snapshot of the current holders is downloaded and renamed.
  await page.goto('/dashboard/snapshots')
  await page.getByRole('link', { name: 'New snapshot' }).first().click()
  await page.getByLabel('Name').fill('Before the drop')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Take it' }).click()
  await expect(page.getByText('Ready', { exact: true })).toBeVisible({ timeout: 60_000 })
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: /^CSV/ }).click()
  expect((await download).suggestedFilename()).toBe('Before the drop.csv')
  await page.getByRole('button', { name: 'Rename Before the drop' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Spring')
  await page.getByRole('button', { name: 'Rename it' }).click()
  await expect(page.getByRole('rowheader', { name: 'Spring' })).toBeVisible()
})

test.describe('on a narrow phone', () => {
  test.use({ colorScheme: 'dark', viewport: { width: 320, height: 700 } })

  // screenshots.spec.ts looks at all other selling pages on a narrow phone in the dark.
  test('the home of a seller and the page of each kind of listing fit a narrow phone and are accessible', async ({
    page,
  }) => {
    test.setTimeout(120_000)
    await signIn(page)
    const { listings, item_ids } = stack().demo
    const own = Object.values(listings).flatMap((id) => id ?? [])
    for (const path of [
      '/dashboard',
      `/dashboard/listings/new?item_id=${item_ids[0]}`,
      ...own.map((id) => `/dashboard/listings/${id}`),
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

test('before a payout address is removed the page says what pauses, and one button resumes it once an address is set', async ({
  page,
}) => {
  await signIn(page, (await makeNewcomer()).email)
  const { itemIds } = await makeItems(page, ['Kingfisher', 'Heron'])
  const address = page.getByLabel('Address', { exact: true })
  const save = async (value: string) => {
    await address.fill(value)
    await page.getByRole('button', { name: 'Save the address' }).click()
  }
  await page.goto('/dashboard/settings')
  await save(payout)
  await expect(page.getByText('The payout address is set.')).toBeVisible()
  const listings: string[] = []
  for (const item_id of itemIds) {
    const { id } = await asMember<{ id: string }>(page.request, 'POST', '/listings', {
      item_id,
      price: '1000',
      currency: 'ETH',
      payment_providers: ['MINT_VOUCHER'],
      quantity_listed: 1,
    })
    listings.push(id)
  }
  const statuses = () =>
    Promise.all(
      listings.map(async (id) => (await asMember<{ status: string }>(page.request, 'GET', `/listings/${id}`)).status),
    )

  await page.reload()
  await save('')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('link')).toHaveText(['Heron', 'Kingfisher'])
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  expect(await statuses()).toEqual(['ACTIVE', 'ACTIVE'])
  await page.getByRole('button', { name: 'Save the address' }).click()
  await dialog.getByRole('button', { name: 'Remove the address' }).click()
  await expect(page.getByText('The payout address is removed.')).toBeVisible()
  expect(await statuses()).toEqual(['PAUSED', 'PAUSED'])

  await save(payout)
  await expect(page.getByText('Still paused since the payout address was removed')).toBeVisible()
  expect(await statuses()).toEqual(['PAUSED', 'PAUSED'])
  await page.getByRole('button', { name: 'Resume them' }).click()
  await expect(page.getByText('2 listings are on sale again.')).toBeVisible()
  await expect(page.getByText('Still paused since')).toBeHidden()
  expect(await statuses()).toEqual(['ACTIVE', 'ACTIVE'])
})
