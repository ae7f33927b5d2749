import path from 'node:path'
import { expect, type Page } from '@playwright/test'
import { violationsOf } from './axe.ts'
import { faultsOf } from './picture.ts'

/** Pictures of every page, taken by `npm run screenshots`. */
const folder = path.resolve(import.meta.dirname, '../../../.test/screenshots')

const WIDTHS = [320, 1440]
/** Only measured: a larger phone, a tablet, a wide screen. */
const OTHER_WIDTHS = [390, 768, 1920]
const THEMES = ['light', 'dark'] as const

const LOOKS = 5

/**
 * What stays wrong: a look may come while the page still takes its new shape, so a fault counts when it is there at
 * every one.
 */
async function whatStays(page: Page, look: () => Promise<string[]>): Promise<string[]> {
  let found = await look()
  for (let at = 1; at < LOOKS && found.length > 0; at++) {
    await page.evaluate(
      () => new Promise<void>((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn()))),
    )
    found = await look()
  }
  return found
}

async function picture(page: Page, here: string): Promise<void> {
  if (!process.env.SCREENSHOTS) return
  const file = path.join(folder, `${here.replace(/[^\w-]+/g, '-')}.png`)
  await page.screenshot({ path: file, fullPage: true, animations: 'disabled' })
}

/** Four pictures of a mail, which has no theme of ours: on a phone and at a desk, in the light and in the dark. */
export async function lookAtMail(page: Page, html: string, name: string): Promise<void> {
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme })
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      await page.setContent(html)
      const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth)
      expect.soft(scrollWidth, `${name} ${width}`).toBeLessThanOrEqual(width)
      await picture(page, `${name} ${colorScheme} ${width}`)
    }
  }
}

/** Four pictures of the page as it is: it follows the theme and the width as it would with a person's own settings. */
export async function lookAround(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready)
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.waitForFunction((theme) => document.documentElement.classList.contains(theme), colorScheme)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      const here = `${name} ${colorScheme} ${width}`
      // Of the rules, only those about colours depend on the theme.
      const rules = colorScheme === 'dark' ? { runOnly: ['color-contrast', 'link-in-text-block'] } : {}
      expect
        .soft(
          await whatStays(page, async () => [...(await faultsOf(page)), ...(await violationsOf(page, rules))]),
          here,
        )
        .toEqual([])
      await picture(page, here)
    }
  }
  for (const width of OTHER_WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    expect.soft(await whatStays(page, () => faultsOf(page)), `${name} ${width}`).toEqual([])
  }
}
