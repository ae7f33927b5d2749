import fs from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { createTranslator } from 'use-intl/core'
import type en from '../../../messages/en.json'
import { dirOf, type Locale, LOCALES } from '../../../lib/core/locales.ts'
import { expect } from './test.ts'

const root = path.resolve(import.meta.dirname, '../../..')

export function textsOf(locale: Locale) {
  const messages = JSON.parse(fs.readFileSync(path.join(root, `messages/${locale}.json`), 'utf8')) as typeof en
  return createTranslator({ locale, messages })
}

export const expectLanguage = async (page: Page, locale: Locale) => {
  await expect(page.locator('html')).toHaveAttribute('lang', locale)
  await expect(page.locator('html')).toHaveAttribute('dir', dirOf(locale))
}

/** Nothing is wider than the screen; what is, is named. */
export const expectFits = async (page: Page) => {
  const tooWide = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const outside = [...document.querySelectorAll('body *')].filter((element) => {
      const { left, right, width } = element.getBoundingClientRect()
      return width > 0 && (right > clientWidth || left < 0)
    })
    return outside.map(({ tagName, className, textContent }) => `${tagName} ${className} ${textContent}`)
  })
  expect(tooWide).toEqual([])
}

/** A small phone with text twice as large. */
export async function enlarge(page: Page): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.addInitScript(() => {
    document.addEventListener('DOMContentLoaded', () => (document.documentElement.style.fontSize = '200%'))
  })
}

/** Chooses a language in the page's footer. */
export const chooseLanguage = (page: Page, name: string, locale: Locale) =>
  expect(async () => {
    if (!(await page.getByRole('button', { name }).isVisible())) await page.locator('footer summary').click()
    await page.getByRole('button', { name }).click({ timeout: 5_000 })
    await expectLanguage(page, locale)
  }).toPass()

/** `npm run screenshots` takes pictures in every language. Otherwise those are looked at whose layout differs most. */
export const LOOKED_AT: readonly Locale[] = process.env.SCREENSHOTS ? LOCALES : ['de', 'ja', 'ar']
