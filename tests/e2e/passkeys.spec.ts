import type { Page } from '@playwright/test'
import { expectAccessible } from './support/axe.ts'
import { makeNewcomer, openSignInLink, signInByMail } from './support/newcomer.ts'
import { mailTo } from './support/stack.ts'
import { expect, test } from './support/test.ts'
import { addAuthenticator } from './support/wallets.ts'

async function registerPasskey(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Register a passkey' }).click()
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).first().click()
  await expect(page).toHaveURL(/\/sign-in$/)
}

test('a member registers a passkey, signs in with it, demands it of the members, and recovers without it', async ({
  page,
  browser,
}) => {
  const { email } = await makeNewcomer()
  await addAuthenticator(page)
  await signInByMail(page, email)
  await page.goto('/dashboard/settings/passkeys')
  await expectAccessible(page)
  await registerPasskey(page, 'Desk')
  await expect(page.getByRole('rowheader', { name: 'Desk' })).toBeVisible()
  await expectAccessible(page)
  await mailTo(email, /passkeys changed/i)

  await signOut(page)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)

  await page.goto('/dashboard/settings')
  await page.getByLabel('Members need a passkey').check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Members need a passkey now.')).toBeVisible()
  await page.goto('/sign-in/again?return_to=/dashboard/members')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page).toHaveURL(/\/dashboard\/members$/)

  // Another device, without the passkey: the link of a mail leads to the page that registers one.
  const other = await (await browser.newContext()).newPage()
  await addAuthenticator(other)
  const before = new Date()
  await other.goto('/sign-in')
  await other.getByLabel('Email').fill(email)
  await other.getByRole('button', { name: 'Send me a link' }).click()
  await openSignInLink(other, (await mailTo(email, /sign in/i, before)).text)
  await expect(other.getByRole('heading', { name: 'A passkey is needed' })).toBeVisible()
  await expectAccessible(other)
  await other.goto('/dashboard/settings')
  await expect(other).toHaveURL(/\/sign-in\/passkey$/)
  await registerPasskey(other, 'Phone')
  await expect(other).toHaveURL(/\/dashboard$/)
  // The mail about the members' passkeys may come after this one.
  await mailTo(email, /protected change/i, before, 'A passkey was added after signing in without one: “Phone”.')

  await other.goto('/dashboard/settings/passkeys')
  await other.getByRole('row', { name: 'Desk' }).getByRole('button', { name: 'Remove' }).click()
  await other.getByRole('button', { name: 'Remove it' }).click()
  await expect(other.getByText('The passkey is removed.')).toBeVisible()
  await expect(other.getByRole('rowheader', { name: 'Desk' })).toHaveCount(0)
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/sign-in$/)
  await other.context().close()
})
