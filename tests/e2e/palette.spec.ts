import { expectAccessible } from './support/axe.ts'
import { asMember, makeNewcomer, signIn } from './support/newcomer.ts'
import { expect, test } from './support/test.ts'

test('everything is a few keys away: what there is, where to go, what to begin', async ({ page }) => {
  const { email } = await makeNewcomer()
  await signIn(page, email)
  const { id: collectionId } = await asMember<{ id: string }>(page.request, 'POST', '/collections', {
    name: 'River birds',
  })
  const { id: itemId } = await asMember<{ id: string }>(page.request, 'POST', '/items', {
    collection_id: collectionId,
    attributes: { title: 'The Night Heron' },
  })

  const field = page.getByRole('combobox', { name: 'Search' })
  await page.keyboard.press('Control+k')
  await expect(field).toBeFocused()
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

  // By the button, and the focus comes back to it.
  const button = page.getByRole('button', { name: 'Search' }).first()
  await button.click()
  await field.fill('new li')
  await expect(page.getByRole('option')).toHaveCount(1)
  await field.fill('zzz')
  await expect(page.getByText('Nothing fits “zzz”.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(button).toBeFocused()

  // Places by two keys, unless somebody types.
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

  // Whoever doesn't want single keys turns them off.
  await page.getByRole('checkbox', { name: /^Single keys/ }).uncheck()
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await page.keyboard.press('Control+k')
  await expect(field).toBeFocused()
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toHaveCount(0)
})

test('a viewer finds what there is and nothing to begin; a phone has a button for it', async ({ page }) => {
  const { email } = await makeNewcomer({ role: 'VIEWER' })
  await page.setViewportSize({ width: 320, height: 700 })
  await signIn(page, email)
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(page.getByRole('option', { name: 'Collections' })).toBeVisible()
  await expect(page.getByRole('option', { name: 'Send an item' })).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('combobox', { name: 'Search' }).fill(email.slice(0, 20))
  await page.getByRole('option', { name: new RegExp(email) }).click()
  await expect(page).toHaveURL(/\/dashboard\/members\?email=/)
  await expect(page.getByRole('rowheader').filter({ hasText: email })).toBeVisible()
})
