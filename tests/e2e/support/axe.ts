import AxeBuilder from '@axe-core/playwright'
import { type Page, expect } from '@playwright/test'

/** No accessibility violation of any kind on the page once it is there. A frame without scripts, such as a mail’s preview, can’t be asked: no timer fires in it. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectLoaded(page)
  const { violations } = await new AxeBuilder({ page }).exclude('iframe[sandbox=""]').analyze()
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  expect(found, page.url()).toEqual([])
}

/** The page itself stands there, nothing that holds its place; a dialog may be open before it. */
export async function expectLoaded(page: Page): Promise<void> {
  await expect(page.locator('[role=status]').filter({ hasText: /^(Loading|Looking for)/ }), `${page.url()} is loaded`).toHaveCount(0)
  await expect(page.locator('h1').first(), `${page.url()} has a heading`).toBeVisible()
}
