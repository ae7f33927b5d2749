import type { Locator, Page } from '@playwright/test'
import { expect } from './test.ts'

/** Keeps a page's scripts back. What it gives lets them go, and waits until they listen to an element. */
export async function holdScripts(page: Page): Promise<(element: Locator) => Promise<void>> {
  const { promise: mayRun, resolve: run } = Promise.withResolvers<void>()
  await page.route('**/_next/static/**/*.js*', async (route) => {
    await mayRun
    await route.continue()
  })
  return async (element) => {
    run()
    await expect
      .poll(() => element.evaluate((node) => Object.keys(node).some((key) => key.startsWith('__reactProps'))))
      .toBe(true)
  }
}
