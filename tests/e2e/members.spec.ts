import type { Browser, Page } from '@playwright/test'
import { expectAccessible } from './support/axe.ts'
import { makeNewcomer, openSignInLink, signIn } from './support/newcomer.ts'
import { press } from './support/press.ts'
import { mailTo } from './support/stack.ts'
import { expect, test } from './support/test.ts'

const someone = () => `member-${crypto.randomUUID()}@example.com`
const rowOf = (page: Page, email: string) => page.getByRole('row').filter({ hasText: email })

/** Opens the newest invitation to this mailbox in another browser context. */
async function accept(browser: Browser, email: string): Promise<Page> {
  const { text } = await mailTo(email, /invites you/)
  const page = await (await browser.newContext()).newPage()
  await openSignInLink(page, text)
  await expect(page).toHaveURL(/\/dashboard$/)
  return page
}

test('an owner invites a member, changes their role and removes them', async ({ page, browser }) => {
  test.setTimeout(120_000)
  const owner = await makeNewcomer()
  await signIn(page, owner.email)
  await page.goto('/dashboard/members')
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Invite' }).click()
  await expect(page.getByText('This field is required.')).toBeVisible()
  await page.getByLabel('Email', { exact: true }).fill(owner.email)
  await page.getByRole('button', { name: 'Invite' }).click()
  await expect(page.getByText(`${owner.email} is a member already, or invited.`).first()).toBeVisible()
  const email = someone()
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByRole('button', { name: 'Invite' }).click()
  await expect(rowOf(page, email)).toContainText('Invited')
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue('')

  // The invited editor signs in by the mail's link, and may send items but not invite.
  const theirs = await accept(browser, email)
  await expect(theirs.getByRole('heading', { level: 1, name: 'The River Society' })).toBeVisible()
  await expect(theirs.getByRole('link', { name: 'Send an item' })).toBeVisible()
  await theirs.goto('/dashboard/members')
  await expect(theirs.getByRole('button', { name: 'Invite' })).toHaveCount(0)
  await page.reload()
  await expect(rowOf(page, email)).toContainText('Active')

  // After the change to viewer they cannot send items.
  await press(page, `Change role of ${email}`, () =>
    page.getByRole('radio', { name: /^Viewer/ }).check({ timeout: 5_000 }),
  )
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Change it' }).click()
  await expect(rowOf(page, email)).toContainText('Viewer')
  await theirs.goto('/dashboard')
  await expect(theirs.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(theirs.getByRole('link', { name: 'Send an item' })).toHaveCount(0)

  // The last owner cannot be demoted; the removed member is signed out at once.
  await page.getByRole('button', { name: `Change role of ${owner.email}` }).click()
  await page.getByRole('radio', { name: /^Editor/ }).check()
  await page.getByRole('button', { name: 'Change it' }).click()
  await expect(page.getByText('This is the last owner who has joined.')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: `Remove ${email}` }).click()
  const confirm = page.getByRole('button', { name: 'Remove them' })
  await expect(confirm).toBeDisabled()
  await page.getByRole('dialog').getByRole('textbox').fill(email)
  await confirm.click()
  // Rows behind a dialog aren't in the accessibility tree.
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(rowOf(page, email)).toHaveCount(0)
  await theirs.getByRole('link', { name: 'Items', exact: true }).click()
  await expect(theirs).toHaveURL(/\/sign-in$/)
  await theirs.context().close()
})

/** Opens the list of organizations; the button is pressed again until the page listens. */
async function openOrganizations(page: Page, current: string): Promise<void> {
  await expect(async () => {
    await page.getByRole('button', { name: `${current}. Change the organization.` }).click({ timeout: 2_000 })
    await expect(page.getByRole('menu')).toBeVisible({ timeout: 2_000 })
  }).toPass()
}

test('a member of two organizations opens the inviting one, switches between them and leaves one', async ({
  page,
  browser,
}) => {
  test.setTimeout(120_000)
  const mine = await makeNewcomer({ name: 'The River Society' })
  const other = await makeNewcomer({ name: 'The Hill Society' })
  await signIn(page, other.email)
  await page.goto('/dashboard/members')
  await page.getByLabel('Email', { exact: true }).fill(mine.email)
  await page.getByLabel('Role', { exact: true }).selectOption('ADMIN')
  await page.getByRole('button', { name: 'Invite' }).click()
  await expect(rowOf(page, mine.email)).toContainText('Administrator')

  const both = await accept(browser, mine.email)
  await expect(both.getByRole('heading', { level: 1, name: 'The Hill Society' })).toBeVisible()
  await openOrganizations(both, 'The Hill Society')
  await both.getByRole('menuitem', { name: /The River Society/ }).click()
  await expect(both.getByRole('heading', { level: 1, name: 'The River Society' })).toBeVisible()
  await both.reload()
  await expect(both.getByRole('heading', { level: 1, name: 'The River Society' })).toBeVisible()
  await openOrganizations(both, 'The River Society')
  await expectAccessible(both)
  await both.getByRole('menuitem', { name: /The Hill Society/ }).click()
  await expect(both.getByRole('heading', { level: 1, name: 'The Hill Society' })).toBeVisible()

  await both.goto('/dashboard/members')
  await expect(async () => {
    await both.getByRole('button', { name: 'Leave' }).click() // until the page listens
    await expect(both.getByRole('dialog')).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await both.getByRole('dialog').getByRole('textbox').fill(mine.email)
  await both.getByRole('button', { name: 'Leave it' }).click()
  await expect(both.getByRole('heading', { level: 1, name: 'The River Society' })).toBeVisible()
  await expect(both.getByRole('button', { name: /Change the organization/ })).toHaveCount(0)
  await both.context().close()
})
