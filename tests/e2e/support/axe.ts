import AxeBuilder from '@axe-core/playwright'
import { type Page, expect } from '@playwright/test'

/** No accessibility violation of any kind on the page as it is now. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  expect(found).toEqual([])
}
