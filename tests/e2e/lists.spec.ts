import { expectAccessible } from './support/axe.ts'
import { asMember, makeNewcomer, signIn } from './support/newcomer.ts'
import { mailTo } from './support/stack.ts'
import { makeStock } from './support/stock.ts'
import { expect, test } from './support/test.ts'

test('items are selected by shift, locked with a result for each, deleted, and restored by undo', async ({ page }) => {
  const { email } = await makeNewcomer()
  await signIn(page, email)
  const { id: collectionId } = await asMember<{ id: string }>(page.request, 'POST', '/collections', {
    name: 'River birds',
  })
  await asMember(page.request, 'POST', '/items/bulk', {
    items: ['Wren', 'Dipper', 'Sandpiper', 'Heron'].map((title) => ({
      collection_id: collectionId,
      attributes: { title, colour: 'grey' },
    })),
  })

  // Filters are in the URL, and each can be removed.
  await page.goto('/dashboard/items?attribute=colour:grey&locked=false&search=r')
  await expect(page.getByRole('rowheader')).toHaveCount(4)
  await page.getByRole('link', { name: /Remove filter: Title r/ }).click()
  await expect(page).not.toHaveURL(/search=/)
  await expect(page).toHaveURL(/attribute=colour%3Agrey&?|locked=false/)
  await expectAccessible(page)

  // The list is sorted, which a link keeps, and other filters leave.
  await page.goto('/dashboard/items')
  await page.getByLabel('Sort by').selectOption('Name, A to Z')
  const names = page.getByRole('rowheader')
  await expect(names).toHaveText([/Dipper/, /Heron/, /Sandpiper/, /Wren/])
  await page.getByLabel('Title').fill('er')
  await expect(names).toHaveText([/Dipper/, /Heron/, /Sandpiper/])
  await expect(page).toHaveURL(/search=er.*sort=name|sort=name.*search=er/)
  await page.getByRole('link', { name: /Remove filter: Sort by/ }).click()
  await expect(names).toHaveText([/Heron/, /Sandpiper/, /Dipper/])
  await page.getByRole('link', { name: /Remove filter: Title/ }).click()
  await expect(names).toHaveCount(4)

  // A range is selected with the shift key, then all, then none.
  await page.getByRole('checkbox', { name: 'Heron' }).click()
  await page.getByRole('checkbox', { name: 'Dipper' }).click({ modifiers: ['Shift'] })
  const bar = page.getByRole('region', { name: 'items chosen' })
  await expect(bar).toContainText('3 items chosen')
  await expectAccessible(page)
  await page.getByRole('checkbox', { name: 'All items of this page' }).click()
  await expect(bar).toContainText('4 items chosen')
  await bar.getByRole('button', { name: 'Choose none' }).click()
  await expect(bar).toHaveCount(0)

  // Of two items, one was locked elsewhere and is reported.
  await page.goto('/dashboard/items')
  await page.getByRole('checkbox', { name: 'Wren' }).click()
  await page.getByRole('checkbox', { name: 'Dipper' }).click()
  const items = await asMember<{ results: { id: string; attributes: { title: string } }[] }>(
    page.request,
    'GET',
    '/items',
  )
  await asMember(page.request, 'POST', '/items/lock', {
    item_id: items.results.find((item) => item.attributes.title === 'Wren')!.id,
  })
  await bar.getByRole('button', { name: 'Lock' }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Lock them' }).click()
  await expect(page.getByText('1 item done, 1 not:')).toBeVisible()
  await expect(page.getByText('Wren: This item is locked already.')).toBeVisible()

  // Filters are saved under a name, chosen again, renamed, and deleted with a way back.
  await page.goto('/dashboard/items?locked=true')
  await page.getByRole('button', { name: 'Save this view' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Ready to send')
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  const views = page.getByRole('navigation', { name: 'Saved views' })
  await expect(views.getByRole('link', { name: 'Ready to send' })).toHaveAttribute('aria-current', 'true')
  await page.goto('/dashboard/items')
  await views.getByRole('link', { name: 'Ready to send' }).click()
  await expect(page).toHaveURL(/\?locked=true$/)

  // Other filters replace those of a name only once that was said.
  await page.goto('/dashboard/items?locked=false')
  await page.getByRole('button', { name: 'Save this view' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Ready to send')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(/^You have a view of this name already/)).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(views.getByRole('link', { name: 'Ready to send' })).toHaveAttribute('href', /\?locked=false$/)
  await page.getByRole('button', { name: 'Rename or delete the view Ready to send' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Locked')
  await page.getByRole('button', { name: 'Rename', exact: true }).click()
  await page.getByRole('button', { name: 'Rename or delete the view Locked' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(views).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(views.getByRole('link', { name: 'Locked' })).toBeVisible()

  // On a phone, rows are cards with the picture and the name of each line.
  await page.setViewportSize({ width: 390, height: 664 })
  await page.goto('/dashboard/items')
  const card = page.getByRole('row', { name: /Heron/ })
  await expect(card).toHaveCSS('display', 'grid')
  await expect(card.getByText('Token id')).toBeVisible()
  await expect(card.locator('img, svg').first()).toBeVisible()

  // Filters are behind one button there, which has the number of active ones, so that the first screen has rows.
  await page.goto('/dashboard/items?search=e&sort=name')
  await expect(page.getByRole('rowheader').first()).toBeInViewport()
  const fields = page.getByRole('search')
  await expect(fields).toBeHidden()
  const filters = page.locator('summary', { hasText: 'Filters' })
  await expect(filters).toHaveText('Filters2')
  await filters.click()
  await expectAccessible(page)
  await fields.getByLabel('Title').fill('er')
  await expect(names).toHaveText([/Dipper/, /Heron/, /Sandpiper/])
  await expect(fields).toBeVisible()
  await filters.click()
  await expect(fields).toBeHidden()
  await page.setViewportSize({ width: 1280, height: 720 })

  // A deletion can be undone until the page is left.
  await page.goto('/dashboard/items?locked=false')
  await expect(page.getByRole('rowheader')).toHaveCount(2)
  const remove = async (title: string) => {
    await page.getByRole('checkbox', { name: title }).click()
    await bar.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByRole('rowheader', { name: title })).toHaveCount(0)
  }
  await remove('Heron')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('rowheader', { name: 'Heron' })).toBeVisible()
  await remove('Sandpiper')
  await page.goto('/dashboard/items?locked=false&search=e')
  await expect
    .poll(
      async () =>
        (await asMember<{ total_results: number }>(page.request, 'GET', '/items?search=sandpiper')).total_results,
    )
    .toBe(0)
  await page.reload()
  await expect(page.getByRole('rowheader')).toHaveCount(1)
  await remove('Heron')
  await expect(page.getByText('Deleted: 1 item.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No items match' })).toBeVisible()
})

test('several items are sent at once; their claims are resent and revoked together', async ({ page }) => {
  test.setTimeout(120_000)
  const { email, organizationId } = await makeNewcomer()
  await signIn(page, email)
  await makeStock(organizationId, ['Wren', 'Dipper', 'Sandpiper'])
  const [ada, grace] = ['ada', 'grace'].map((name) => `${name}-${organizationId}@example.com`) as [string, string]

  await page.goto('/dashboard/items')
  await page.getByRole('checkbox', { name: 'All items of this page' }).click()
  await page.getByRole('link', { name: 'Send by email' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Send 3 items' })).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel(/^Wren/).fill(ada)
  await page.getByLabel(/^Dipper/).fill('grace')
  await page.getByRole('button', { name: 'Send them' }).click()
  await expect(page.getByText(`“Wren” is on its way to ${ada}.`)).toBeVisible()
  await expect(page.getByText('This is not an email address.')).toBeVisible()
  await expect(page.getByLabel(/^Dipper/)).toHaveValue('grace')
  await page.getByLabel(/^Dipper/).fill(grace)
  await page.getByRole('button', { name: 'Send them' }).click()
  await expect(page.getByText(`“Dipper” is on its way to ${grace}.`)).toBeVisible()
  const first = await mailTo(ada, /./)

  await page.goto('/dashboard/claims')
  await page.getByLabel('Email begins with').fill(grace.slice(0, 10).toUpperCase())
  await expect(page.getByRole('rowheader')).toHaveText([grace])
  await page.getByRole('link', { name: 'Clear' }).click()
  await expect(page.getByRole('rowheader')).toHaveCount(2)
  await page.getByRole('checkbox', { name: 'All claims of this page' }).click()
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByRole('button', { name: 'Send them again' }).click()
  await expect(page.getByText('Sent again: 2 claims.')).toBeVisible()
  await mailTo(ada, /./, new Date(first.sent_at))

  // An older page doesn't undo a mailbox that somebody else corrected meanwhile.
  const claims = await asMember<{ results: { id: string; email: string }[] }>(page.request, 'GET', '/email-claims')
  const path = `/email-claims/${claims.results.find((claim) => claim.email === ada)!.id}`
  const mailbox = async () => (await asMember<{ email: string }>(page.request, 'GET', path)).email
  const dialog = page.getByRole('dialog')
  await page.goto(`/dashboard/claims/${path.split('/').at(-1)}`)
  await expect(async () => {
    await page.getByRole('button', { name: 'Resend' }).click()
    await expect(dialog).toBeVisible({ timeout: 2_000 })
  }).toPass()
  const corrected = `countess-${ada}`
  await asMember(page.request, 'POST', `${path}/resend`, { email: corrected })
  await dialog.getByRole('button', { name: 'Send it' }).click()
  await expect(dialog.getByText('This link was sent again a moment ago.')).toBeVisible()
  expect(await mailbox()).toBe(corrected)
  await dialog.getByLabel('Email').fill(`lady-${ada}`)
  await dialog.getByRole('button', { name: 'Send it' }).click()
  await expect(dialog.getByText(`Somebody saved “${corrected}” here meanwhile.`)).toBeVisible()
  expect(await mailbox()).toBe(corrected)
  await dialog.getByRole('button', { name: 'Send it' }).click()
  await expect(dialog).toBeHidden()
  expect(await mailbox()).toBe(`lady-${ada}`)
  await page.goto('/dashboard/claims')

  await page.getByRole('checkbox', { name: 'All claims of this page' }).click()
  await page.getByRole('region', { name: 'claims chosen' }).getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByRole('button', { name: 'Revoke them' })).toBeDisabled()
  await page.getByRole('dialog').getByRole('textbox').fill('revoke')
  await page.getByRole('button', { name: 'Revoke them' }).click()
  await expect(page.getByText('Revoked: 2 claims.')).toBeVisible()
  await expect(page.getByRole('table').getByText('Revoked', { exact: true })).toHaveCount(2)
  await expect(page.getByRole('checkbox')).toHaveCount(0) // Revoked claims cannot be selected.
  await expectAccessible(page)
})
