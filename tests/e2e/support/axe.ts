import fs from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Frame, type Page } from '@playwright/test'

const axe = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Rules = { runOnly?: string[] }

/** No accessibility violation of any kind on the page once it is there. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectLoaded(page)
  // A list that is filtered keeps its heading and loses its title for a moment, once its new contents come.
  await expect.poll(() => violationsOf(page), { message: page.url() }).toEqual([])
}

/** The page itself stands there, at rest, and nothing that holds its place; a dialog may be open before it. */
export async function expectLoaded(page: Page): Promise<void> {
  await expect(
    page.locator('[role=status]').filter({ hasText: /^(Loading|Looking for)/ }),
    `${page.url()} is loaded`,
  ).toHaveCount(0)
  await expect(page.locator('h1').first(), `${page.url()} has a heading`).toBeVisible()
  // A page that is reached by a link gets its title after its contents.
  await expect(page, `${page.url()} has a title`).toHaveTitle(/\S/)
  await page.evaluate(atRest)
}

/** What fades in is pale at first. What moves for as long as it is there, such as a place holder, isn’t waited for. */
async function atRest(): Promise<void> {
  for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame)
  const endless = (animation: Animation) => animation.effect?.getComputedTiming().endTime === Infinity
  const moving = document
    .getAnimations()
    .filter((animation) => animation.playState === 'running' && !endless(animation))
  await Promise.allSettled(moving.map(({ finished }) => finished))
}

/**
 * Accessibility violations of the page as it is now, and of the pages framed in it. The library is put in once a page,
 * which makes hundreds of looks affordable.
 */
export async function violationsOf(page: Page, rules: Rules = {}): Promise<string[]> {
  const found: string[] = []
  for (const frame of page.frames()) if (await runsScripts(frame)) found.push(...(await violationsIn(frame, rules)))
  return found
}

/** A frame without scripts, such as a mail’s preview, can’t be asked: no timer fires in it. */
async function runsScripts(frame: Frame): Promise<boolean> {
  if (!frame.parentFrame()) return true
  const sandbox = await (await frame.frameElement()).getAttribute('sandbox')
  return sandbox === null || sandbox.includes('allow-scripts')
}

async function violationsIn(frame: Frame, rules: Rules): Promise<string[]> {
  if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe)
  return frame.evaluate(async ({ runOnly }) => {
    type Axe = {
      run(context: Document, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
    }
    const options = {
      resultTypes: ['violations'],
      iframes: false,
      ...(runOnly && { runOnly: { type: 'rule', values: runOnly } }),
    }
    const { violations } = await (window as unknown as { axe: Axe }).axe.run(document, options)
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`)
  }, rules)
}
