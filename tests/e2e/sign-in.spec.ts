import type { Page } from '@playwright/test'
import { expectAccessible } from './support/axe.ts'
import { ageSessions, makeNewcomer, openSignInLink, signIn, signInByMail } from './support/newcomer.ts'
import { mailTo } from './support/stack.ts'
import { expect, test } from './support/test.ts'

const payout = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'

async function setPayout(page: Page): Promise<void> {
  await page.getByLabel('Address', { exact: true }).fill(payout)
  await page.getByRole('button', { name: 'Save the address' }).click()
}

test('a payout address needs a recent sign-in: the page leads through one and back', async ({ page }) => {
  const { email } = await makeNewcomer()
  await signIn(page, email)
  await ageSessions(email)
  await page.goto('/dashboard/settings')
  await setPayout(page)
  await page.getByRole('link', { name: 'Sign in again' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in again' })).toBeVisible()
  await expectAccessible(page)

  const before = new Date()
  await page.getByRole('button', { name: 'Send me a link' }).click()
  await expect(page.getByRole('heading', { name: 'Check your mail' })).toBeVisible()
  await openSignInLink(page, (await mailTo(email, /sign in/i, before)).text)
  await expect(page).toHaveURL(/\/dashboard\/settings$/)
  // What was typed before is offered again.
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByLabel('Address', { exact: true })).toHaveValue(payout)
  await page.getByRole('button', { name: 'Save the address' }).click()
  await expect(page.getByText('The payout address is set.')).toBeVisible()
  const { text } = await mailTo(email, /protected change/i, before)
  expect(text).toContain(`The payout address was changed to ${payout}.`)
})

test('opening a sign-in link twice leaves it valid until its button is pressed', async ({ page }) => {
  const { email } = await makeNewcomer()
  const before = new Date()
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send me a link' }).click()
  const { text } = await mailTo(email, /sign in/i, before)
  const link = /https?:\/\/\S+\/sign-in\/confirm\S+/.exec(text)![0]
  for (const method of ['GET', 'HEAD'])
    expect(
      (await page.request.fetch(link, { method })).headersArray().map(({ name }) => name.toLowerCase()),
    ).not.toContain('set-cookie')
  await page.goto(link)
  await expectAccessible(page)
  await openSignInLink(page, text)
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('a member ends a session of another browser', async ({ page, browser }) => {
  const { email } = await makeNewcomer()
  const other = await (await browser.newContext()).newPage()
  await signInByMail(other, email)
  await signInByMail(page, email)
  await page.goto('/dashboard/settings/sessions')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'End', exact: true }).click()
  await page.getByRole('button', { name: 'End it' }).click()
  await expect(page.getByText('That session has ended.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'End', exact: true })).toHaveCount(0)
  await other.goto('/dashboard')
  await expect(other).toHaveURL(/\/sign-in$/)
  await page.reload()
  await expect(page.getByText('This one')).toBeVisible()
  await other.context().close()
})

test('a malformed form or action of the sign-in page is refused, and not an error of ours', async ({
  page,
  request,
}) => {
  await page.goto('/sign-in')
  const field = page.locator('input[name^="$ACTION_"][name$=":0"]').first()
  const [name, value] = [(await field.getAttribute('name'))!, (await field.inputValue())!]
  const { id } = JSON.parse(value) as { id: string }
  const origin = new URL(page.url()).origin
  const post = async (headers: Record<string, string>, data: string) =>
    (await request.post('/sign-in', { headers: { origin, ...headers }, data })).status()
  const text = { 'next-action': id, 'content-type': 'text/plain;charset=UTF-8' }
  for (const body of ['[', '["$@7"]', '']) expect(await post(text, body), body).toBe(400)
  for (const body of ['{}', '[]', '[1]']) expect(await post(text, body), body).toBeLessThan(500)
  expect(await post({ 'content-type': 'multipart/form-data; boundary=a' }, 'x')).toBe(400)
  const broken = { [name.replace(/_(\d+):0$/, '_REF_$1')]: '', [name]: value.slice(0, -1) }
  expect((await request.post('/sign-in', { headers: { origin }, multipart: broken })).status()).toBe(400)
})
