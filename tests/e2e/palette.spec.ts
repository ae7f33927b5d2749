import { expectAccessible } from './support/axe.ts'
import { asMember, makeNewcomer, signIn } from './support/newcomer.ts'
import { expect, test } from './support/test.ts'

test('the palette finds records, pages and actions by keyboard, and single-key shortcuts can be turned off', async ({
  page,
}) => {
  const { email } = await makeNewcomer()
  await signIn(page, email)
  const { id: collectionId } = await asMember<{ id: string }>(page.request, 'POST', '/collections', {
    name: 'River birds',
  })
  const { id: itemId } = await asMember<{ id: string }>(page.request, 'POST', '/items', {
    collection_id: collectionId,
    attributes: { title: 'The Night Heron' },
  })

  await page.goto('/dashboard')
  const field = page.getByRole('combobox', { name: 'Search' })
  await expect(async () => {
    if (!(await field.isVisible())) await page.keyboard.press('Control+k')
    await expect(field).toBeFocused({ timeout: 1_000 })
  }).toPass()
  await expect(page.getByRole('option', { name: 'Send an item' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.type('heron')
  await expect(page.getByRole('option', { name: /The Night Heron.*River birds/ })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/dashboard/items/${itemId}$`))
  await expect(field).toHaveCount(0)

  // Opened by the button, which gets the focus back.
  const button = page.getByRole('button', { name: 'Search' }).first()
  await button.click()
  await field.fill('new li')
  await expect(page.getByRole('option')).toHaveCount(1)
  await field.fill('zzz')
  await expect(page.getByText('No results for “zzz”.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(button).toBeFocused()

  // Two keys open a page, except while typing in a field.
  await page.keyboard.press('g')
  await page.keyboard.press('m')
  await expect(page).toHaveURL(/\/dashboard\/members$/)
  await page.getByLabel('Email').pressSequentially('gi?/')
  await expect(page.getByLabel('Email')).toHaveValue('gi?/')
  await expect(page).toHaveURL(/\/dashboard\/members$/)
  await page.getByLabel('Email').blur()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await expectAccessible(page)

  // Single-key shortcuts can be turned off.
  await page.getByRole('checkbox', { name: /^Single keys/ }).uncheck()
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await page.keyboard.press('Control+k')
  await expect(field).toBeFocused()
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toHaveCount(0)
})

test('a viewer’s palette has records and pages but no actions, and opens by a button on a phone', async ({ page }) => {
  const { email } = await makeNewcomer({ role: 'VIEWER' })
  await page.setViewportSize({ width: 320, height: 700 })
  await signIn(page, email)
  await page.goto('/dashboard')
  // The button is there before the page listens to it.
  await expect(async () => {
    await page.getByRole('button', { name: 'Search' }).click({ timeout: 2_000 })
    await expect(page.getByRole('option', { name: 'Collections' })).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await expect(page.getByRole('option', { name: 'Send an item' })).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('combobox', { name: 'Search' }).fill(email.slice(0, 20))
  await page.getByRole('option', { name: new RegExp(email) }).click()
  await expect(page).toHaveURL(/\/dashboard\/members\?email=/)
  await expect(page.getByRole('rowheader').filter({ hasText: email })).toBeVisible()
})
