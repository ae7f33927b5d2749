import type { Page } from '@playwright/test'
import { expect } from './test.ts'

/** Presses until the page listens. */
export async function press(page: Page, name: string, then: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await page.getByRole('button', { name, exact: true }).click({ timeout: 5_000 })
    await then()
  }).toPass()
}

/** Comes back to a page from another one, at which it asks anew for what may have changed. */
export const comeBack = (page: Page): Promise<unknown> =>
  page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
