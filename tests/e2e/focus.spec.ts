import type { Page } from '@playwright/test'
import { asMember, makeNewcomer, signIn } from './support/newcomer.ts'
import { makeStock } from './support/stock.ts'
import { expect, test } from './support/test.ts'

/** What has the focus, once the page has nothing more to show. */
const focused = (page: Page) =>
  page.evaluate(() => `${document.activeElement?.tagName} ${document.activeElement?.textContent.trim()}`)

test('after an action whose button goes, the focus stays near where it was', async ({ page }) => {
  test.setTimeout(180_000)
  const { email, organizationId } = await makeNewcomer()
  await signIn(page, email)
  const { itemIds } = await makeStock(organizationId, ['Wren'])
  const { id: collectionId } = await asMember<{ id: string }>(page.request, 'POST', '/collections', { name: 'Pond' })
  const { id: itemId } = await asMember<{ id: string }>(page.request, 'POST', '/items', {
    collection_id: collectionId,
    attributes: { title: 'Dipper' },
  })
  const { id: listingId } = await asMember<{ id: string }>(page.request, 'POST', '/listings', {
    item_id: itemIds[0],
    quantity_listed: 1,
    price: 0,
    currency: 'ETH',
    payment_providers: ['EMAIL_CLAIM'],
  })

  // Lock goes; the focus is on what stands beside it now.
  await page.goto(`/dashboard/items/${itemId}`)
  await page.getByRole('button', { name: 'Lock', exact: true }).press('Enter')
  await page.getByRole('button', { name: 'Lock the item' }).press('Enter')
  await expect(page.getByText('The item is locked.')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect.poll(() => focused(page)).not.toMatch(/^BODY/)

  // Pause becomes its counterpart, and back.
  await page.goto(`/dashboard/listings/${listingId}`)
  await page.getByRole('button', { name: 'Pause', exact: true }).press('Enter')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Pause/ })
    .press('Enter')
  await expect(page.getByRole('button', { name: 'Resume', exact: true })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect.poll(() => focused(page)).toMatch(/^(BUTTON|A|H1) /)

  // A save that leads to another page begins at its heading.
  await page.goto(`/dashboard/collections/${collectionId}/edit`)
  await page.getByLabel('Name', { exact: true }).fill('Ponds')
  await page.getByLabel('Name', { exact: true }).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Ponds' })).toBeFocused()

  // So does a page whose link was pressed and went.
  await page.getByRole('main').getByRole('link', { name: 'Collections', exact: true }).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Collections' })).toBeFocused()

  // Who presses beside everything has no focus, and gets none.
  await page.goto('/dashboard/settings')
  await page.getByLabel('Name', { exact: true }).click()
  await page.mouse.click(5, 400)
  await expect.poll(() => focused(page)).toMatch(/^BODY/)
})
