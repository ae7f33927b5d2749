import type { Page } from '@playwright/test'
import { expectAccessible } from './support/axe.ts'
import { ageSessions, asMember, makeNewcomer, openSignInLink, signIn } from './support/newcomer.ts'
import { pngOf } from './support/png.ts'
import { holdScripts } from './support/scripts.ts'
import { mailTo, stack } from './support/stack.ts'
import { expect, test } from './support/test.ts'

const asked = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' })
const drafts = (page: Page) =>
  page.evaluate(() => Object.entries(localStorage).filter(([name]) => name.startsWith('vitrine-draft/')))

/** Types once the page listens: a draft is stored of it. */
async function type(page: Page, label: string, text: string) {
  await expect(async () => {
    await page.getByLabel(label, { exact: true }).fill('')
    await page.getByLabel(label, { exact: true }).fill(text)
    await expect.poll(async () => JSON.stringify(await drafts(page)), { timeout: 2_000 }).toContain(text)
  }).toPass()
}

test('a changed form asks before it is left by a link, by going back, by search, by reloading and by signing out', async ({
  page,
}) => {
  test.setTimeout(180_000)
  const { email } = await makeNewcomer()
  await signIn(page, email)
  await page.goto('/dashboard/collections')
  await page.getByRole('link', { name: 'New collection' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'New collection' })).toBeVisible()

  // Nothing was entered, so nothing is asked.
  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(/\/dashboard\/collections$/)
  await page.getByRole('link', { name: 'New collection' }).first().click()
  await type(page, 'Name', 'Night garden')
  const stay = async () => {
    await expect(asked(page)).toContainText('stays in this browser as a draft')
    await page.getByRole('button', { name: 'Stay here' }).click()
    await expect(asked(page)).toBeHidden()
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Night garden')
    await expect(page).toHaveURL(/\/collections\/new$/)
  }
  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect(asked(page)).toBeVisible()
  await expectAccessible(page)
  await stay()
  await page.evaluate(() => history.back())
  await stay()
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('A page, an item').fill('webhooks')
  await page.getByRole('option', { name: 'Webhooks' }).click()
  await stay()
  const dialog = page.waitForEvent('dialog')
  await page.evaluate(() => setTimeout(() => location.reload()))
  const native = await dialog
  expect(native.type()).toBe('beforeunload')
  await native.dismiss()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(asked(page)).toContainText('will be lost')
  await page.getByRole('button', { name: 'Stay here' }).click()

  // Whoever leaves goes where they wanted.
  await page.evaluate(() => history.back())
  await asked(page).getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL(/\/dashboard\/collections$/)

  // A short form has no draft: what leaves is lost, and said so.
  await page.goto('/dashboard/settings')
  await expect(async () => {
    await page.getByLabel('Name', { exact: true }).fill('Another name')
    await page.getByRole('link', { name: 'Overview', exact: true }).first().click()
    await expect(asked(page)).toContainText('will be lost', { timeout: 2_000 })
  }).toPass()
  await asked(page).getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('a draft survives a closed tab with its added rows, is restored or discarded, and goes when it is saved', async ({
  page,
  context,
}) => {
  test.setTimeout(180_000)
  const { email, organizationId } = await makeNewcomer()
  await signIn(page, email)
  await asMember(page.request, 'POST', '/collections', { name: 'River birds' })
  await page.goto('/dashboard/items/new')
  await type(page, 'Title', 'Kingfisher')
  await page.getByLabel('Description').fill('It dives.')
  await page.getByRole('button', { name: 'Add an attribute' }).click()
  await page.getByLabel('Name of attribute 1').fill('Colour')
  await page.getByLabel('Value of attribute 1').fill('Blue')
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({
      name: 'kingfisher.png',
      mimeType: 'image/png',
      buffer: await pngOf('#0a6e8a'),
    })
  await expect(page.getByRole('img', { name: 'Uploaded picture' })).toBeVisible()
  await expect.poll(async () => JSON.stringify(await drafts(page))).toMatch(/Blue.*media|media.*Blue/)
  const [[name]] = (await drafts(page)) as [[string, string]]
  expect(name).toContain(organizationId)
  await page.close() // without a question, as a crash

  const next = await context.newPage()
  await next.goto('/dashboard/items/new')
  await expect(next.getByText(/^You have an unsaved draft from \d\d:\d\d\.$/)).toBeVisible()
  await expectAccessible(next)
  await expect(next.getByLabel('Title', { exact: true })).toHaveValue('')
  await next.getByRole('button', { name: 'Restore' }).click()
  await expect(next.getByLabel('Title', { exact: true })).toHaveValue('Kingfisher')
  await expect(next.getByLabel('Description')).toHaveValue('It dives.')
  await expect(next.getByLabel('Name of attribute 1')).toHaveValue('Colour')
  await expect(next.getByLabel('Value of attribute 1')).toHaveValue('Blue')
  const restored = next.getByRole('img', { name: 'Uploaded picture' })
  await expect(restored).toBeVisible()
  await expect.poll(() => restored.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await expect(next.getByRole('complementary', { name: 'Preview' })).toContainText('Kingfisher')

  // What the server refuses stays; what is saved doesn't.
  await next.getByLabel('Basis points').fill('x')
  await next.getByRole('button', { name: 'Create the item' }).click()
  await expect(next.getByText('Some fields need another look.')).toBeVisible()
  expect(await drafts(next)).toHaveLength(1)
  await next.getByLabel('Basis points').fill('')
  await next.getByRole('button', { name: 'Create the item' }).click()
  await expect(next.getByRole('heading', { level: 1, name: 'Kingfisher' })).toBeVisible()
  expect(await drafts(next)).toEqual([])

  // Nor does what is discarded.
  await next.goto('/dashboard/collections/new')
  await type(next, 'Name', 'Ponds')
  await next.goto('/dashboard/collections/new')
  await next.getByRole('button', { name: 'Discard' }).click()
  await expect(next.getByLabel('Name', { exact: true })).toHaveValue('')
  expect(await drafts(next)).toEqual([])
})

test('signing out removes all drafts, passwords are never in one, and what was typed before scripts listened counts', async ({
  page,
}) => {
  test.setTimeout(180_000)
  const { email } = await makeNewcomer()
  await signIn(page, email)
  await page.goto('/dashboard/campaigns/new')
  await type(page, 'Name', 'Spring')
  const begin = await holdScripts(page)
  await page.goto('/dashboard/settings/email', { waitUntil: 'commit' })
  await page.getByLabel('Sender').fill('River <post@birds.example>')
  await page.locator('input[type="password"]').first().fill('a secret of the mail server')
  await begin(page.locator('main form').first())
  await page.getByRole('link', { name: 'Overview', exact: true }).first().click()
  await expect(asked(page)).toContainText('stays in this browser as a draft')
  await page.getByRole('button', { name: 'Stay here' }).click()
  const kept = await drafts(page)
  expect(kept).toHaveLength(2)
  expect(JSON.stringify(kept)).toContain('post@birds.example')
  expect(JSON.stringify(kept)).not.toContain('a secret')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await asked(page).getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL(/\/sign-in$/)
  expect(await drafts(page)).toEqual([])
})

test('what was typed into a form that asks for a new sign-in is offered again after it, without its secrets', async ({
  page,
}) => {
  test.setTimeout(180_000)
  const { email } = await makeNewcomer()
  await signIn(page, email)
  await asMember(page.request, 'POST', '/members', { email: `second-${email}`, role: 'EDITOR' })
  await ageSessions(email)
  const secret = 'a secret of the mail server'
  const refuse = async (button: string) => {
    await page.getByRole('button', { name: button, exact: true }).click()
    await expect(page.getByRole('link', { name: 'Sign in again' })).toBeVisible()
  }
  const webhook = '/dashboard/webhooks/new'
  await page.goto(webhook)
  await page.getByRole('textbox', { name: 'Name' }).fill('Shop backend')
  await page.getByRole('textbox', { name: 'Address' }).fill(`${stack().origin}/hook`)
  await page.getByRole('radio', { name: /^Only these/ }).check()
  await page.getByRole('checkbox', { name: /^claim.created/ }).check()
  await refuse('Create the webhook')
  const mail = '/dashboard/settings/email'
  await page.goto(mail)
  await page.getByRole('radio', { name: /^Another mail server/ }).check()
  await page.getByLabel('Sender').fill('River <post@birds.example>')
  await page.getByLabel('Server', { exact: true }).fill('smtp.birds.example')
  await page.getByLabel('User name').fill('river')
  await page.locator('input[type="password"]').fill(secret)
  await refuse('Save the settings')
  const members = '/dashboard/members'
  await page.goto(members)
  await page.getByLabel('Email', { exact: true }).fill('grace@example.com')
  await page.getByLabel('Role').first().selectOption('OWNER')
  await refuse('Invite')
  const openDialog = () => page.getByRole('button', { name: /^Change role of second/ }).click()
  await openDialog()
  await page.getByRole('radio', { name: /^Owner/ }).check()
  await refuse('Change it')
  expect(JSON.stringify(await drafts(page))).not.toContain(secret)

  const before = new Date()
  await page.getByRole('link', { name: 'Sign in again' }).click()
  await page.getByRole('button', { name: 'Send me a link' }).click()
  await openSignInLink(page, (await mailTo(email, /sign in/i, before)).text)
  await expect(page).toHaveURL(/\/dashboard\/members$/)
  const offer = page.getByRole('button', { name: 'Restore' })
  const restore = () => offer.click()
  // What the page offers moves the list below it.
  await expect(offer).toBeVisible()
  await openDialog()
  await restore()
  await expect(page.getByRole('radio', { name: /^Owner/ })).toBeChecked()
  await page.getByRole('button', { name: 'Change it' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await restore()
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue('grace@example.com')
  await expect(page.getByLabel('Role').first()).toHaveValue('OWNER')
  // Whoever closes a dialog gives up what was chosen in it.
  await openDialog()
  await page.getByRole('radio', { name: /^Viewer/ }).check()
  await page.keyboard.press('Escape')
  await openDialog()
  await expect(page.getByRole('radio', { name: /^Owner/ })).toBeChecked()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Restore' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.goto(webhook)
  await restore()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Shop backend')
  await expect(page.getByRole('textbox', { name: 'Address' })).toHaveValue(`${stack().origin}/hook`)
  await expect(page.getByRole('checkbox', { name: /^claim.created/ })).toBeChecked()
  await page.goto(mail)
  await restore()
  await expect(page.getByLabel('Server', { exact: true })).toHaveValue('smtp.birds.example')
  await expect(page.locator('input[type="password"]')).toHaveValue('')
})

test('a page that shows a secret this once asks before it is left, until it is copied', async ({ page, context }) => {
  const { email } = await makeNewcomer()
  await signIn(page, email)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/dashboard/api-keys/new')
  await page.getByLabel('Name').fill('Shop backend')
  await page.getByRole('button', { name: 'Create the key' }).click()
  const key = page.getByTestId('api-key')
  await expect(key).toBeVisible()
  const question = page.getByRole('dialog', { name: 'Leave without the secret?' })
  await page.getByRole('link', { name: 'Overview', exact: true }).first().click()
  await expect(question).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Stay here' }).click()
  await expect(key).toBeVisible()
  await page.getByRole('button', { name: /^Copy/ }).click()
  await expect(page.getByText('Copied').first()).toBeVisible()
  await page.getByRole('link', { name: 'Overview', exact: true }).first().click()
  await expect(page).toHaveURL(/\/dashboard$/)
})
