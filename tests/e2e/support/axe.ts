import AxeBuilder from '@axe-core/playwright'
import { type Page, expect } from '@playwright/test'

/** No accessibility violation of any kind on the page as it is now. A frame without scripts, such as a mail’s preview, can’t be asked: no timer fires in it. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).exclude('iframe[sandbox=""]').analyze()
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  expect(found).toEqual([])
}
