import fs from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { createTranslator } from 'use-intl/core'
import type dashboard from '../../messages/dashboard/en.json'
import type { DashboardLocale } from '../../lib/core/locales.ts'
import { expectAccessible } from './support/axe.ts'
import { makeNewcomer, signIn, signInByMail } from './support/newcomer.ts'
import { faultsOf } from './support/picture.ts'
import { mailTo } from './support/stack.ts'
import { expect, test } from './support/test.ts'

const root = path.resolve(import.meta.dirname, '../..')

async function expectLanguage(page: Page, locale: DashboardLocale): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('lang', locale)
  await expect(page.locator('html')).toHaveAttribute('dir', 'ltr')
}

const dashboardTexts = (locale: DashboardLocale) =>
  JSON.parse(fs.readFileSync(path.join(root, `messages/dashboard/${locale}.json`), 'utf8')) as typeof dashboard

/** Every text below. */
const textsBelow = (texts: object): string[] =>
  Object.values(texts).flatMap((text) => (typeof text === 'string' ? [text] : textsBelow(text as object)))

test('the dashboard is chosen in German, and stays so for the next sign-in', async ({ page }) => {
  test.setTimeout(120_000)
  const t = createTranslator({ locale: 'de', messages: dashboardTexts('de') })
  const german = new Set(textsBelow(dashboardTexts('de')))
  const english = new Set(textsBelow(dashboardTexts('en')).filter((text) => !german.has(text)))
  const { email } = await makeNewcomer()
  await signIn(page, email)
  await page.goto('/dashboard')
  await expectLanguage(page, 'en')
  const aside = page.getByRole('complementary')
  await expect(async () => {
    if (!(await aside.getByRole('button', { name: 'Deutsch' }).isVisible())) await aside.locator('summary').click()
    await aside.getByRole('button', { name: 'Deutsch' }).click({ timeout: 5_000 })
    await expectLanguage(page, 'de')
  }).toPass()
  await expect(page.getByRole('link', { name: t('shell.places.collections') }).first()).toBeVisible()

  for (const [place, title] of [
    ['', null],
    ['/members', t('members.title')],
    ['/api-keys', t('apiKeys.title')],
    ['/api-keys/new', t('apiKeys.newTitle')],
    ['/media', t('media.title')],
    ['/audit', t('audit.title')],
    ['/settings', t('settings.title')],
    ['/settings/email', t('settings.title')],
    ['/settings/passkeys', t('settings.title')],
    ['/settings/sessions', t('settings.title')],
  ]) {
    await page.goto(`/dashboard${place}`)
    await expectLanguage(page, 'de')
    if (title) await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible()
    await expect(page.getByRole('status').filter({ hasText: t('overview.attention.looking') })).toHaveCount(0)
    const headings = await page.getByRole('heading').allInnerTexts()
    expect(headings.filter((heading) => english.has(heading.trim()))).toEqual([])
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      await expect.poll(() => faultsOf(page), `${place} ${width}`).toEqual([])
    }
  }

  // What a form gets wrong is told by its code.
  await page.goto('/dashboard/members')
  await page.getByRole('button', { name: t('members.inviteIt'), exact: true }).click()
  await expect(page.getByText(t('errors.fields.required'))).toBeVisible()
  await page.getByLabel(t('members.email'), { exact: true }).fill(email)
  await page.getByRole('button', { name: t('members.inviteIt'), exact: true }).click()
  await expect(page.getByText(t('errors.member_exists')).first()).toBeVisible()

  await aside.getByRole('button', { name: t('shell.signOut') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('common.leave.leave'), exact: true })
    .click()
  await expect(page.getByRole('heading', { name: t('signIn.title') })).toBeVisible()
  await expectLanguage(page, 'de')
  await expectAccessible(page)
  const before = new Date()
  await page.getByLabel(t('signIn.email')).fill(email)
  await page.getByRole('button', { name: t('signIn.sendLink') }).click()
  await expect(page.getByRole('heading', { name: t('signIn.check.title') })).toBeVisible()
  const { text } = await mailTo(email, /sign in|anmeld/i, before)
  await page.goto(/https?:\/\/\S+\/sign-in\/confirm\S+/.exec(text)![0])
  await page.getByRole('button', { name: t('signIn.openDashboard') }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expectLanguage(page, 'de')
})

test('without a choice the dashboard follows its organization where the browser’s language isn’t spoken', async ({
  browser,
}) => {
  const page = await (await browser.newContext({ locale: 'fr-CA' })).newPage()
  const { email } = await makeNewcomer()
  await signInByMail(page, email)
  await expectLanguage(page, 'en')
  await page.goto('/dashboard/settings')
  await page.getByRole('combobox', { name: 'Language' }).selectOption('de')
  await page.getByRole('button', { name: 'Save what people see' }).click()
  await expect(page.getByText(/^(Saved|Gespeichert)\.$/)).toBeVisible()
  await page.reload()
  await expectLanguage(page, 'de')
  await expect(page.getByRole('heading', { level: 1, name: dashboardTexts('de').settings.title })).toBeVisible()
  await page.context().close()
})

test('the language of the sign-in is chosen without script', async ({ browser }) => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  await page.goto('/sign-in')
  await page.locator('footer summary').click()
  await expect(page.getByRole('button', { name: 'Français' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Deutsch' }).click()
  await expectLanguage(page, 'de')
  await expect(page.getByRole('heading', { name: dashboardTexts('de').signIn.title })).toBeVisible()
  await page.context().close()
})
