import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileOf, pagesToRun, pagesWithAnotherWay, patternOf, runProgram, writeProgram } from '../support/guides.ts'
import { expectAccessible } from './support/axe.ts'
import { stack } from './support/stack.ts'
import { expect, test } from './support/test.ts'

test.describe('the programs of the guides do what the guides say', () => {
  /** It moves the time of the whole sandbox, which other tests run by; tests/domain/sandbox-clock.test.ts does the same. */
  const pages = pagesToRun().filter((slug) => slug !== 'sandbox')
  const ways = [
    ...pages.map((slug) => ({ slug, title: slug, isOtherWay: false })),
    ...pagesWithAnotherWay().map((slug) => ({ slug, title: `${slug}, the other way`, isOtherWay: true })),
  ]
  for (const { slug, title, isOtherWay } of ways)
    test(title, async () => {
      const { origin, api_key: key, rpc_url: rpcUrl } = stack()
      const folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'guide-')), slug)
      const program = writeProgram(slug, folder, { isOtherWay })
      const env = { VITRINE_ORIGIN: origin, VITRINE_API_KEY: key, RPC_URL: rpcUrl, SHOP_PORT: '0' }
      expect((await runProgram(program, env)).trim()).toMatch(patternOf(program, origin))
    })
})

test('the whole shop of the card guide sells in a browser, and sees the delivery', async ({ browser }) => {
  test.setTimeout(300_000)
  const { origin, api_key: key } = stack()
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guide-shop-'))
  const client = path.join(folder, 'node_modules/@vitrine/client')
  const build = spawnSync(process.execPath, ['scripts/build-client.ts', '--to', client], { encoding: 'utf8' })
  expect([build.status, build.stderr]).toEqual([0, expect.any(String)])
  for (const file of ['shop.mjs', 'shop.html']) fs.writeFileSync(path.join(folder, file), fileOf('card', file))
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'test' as const,
    PORT: '0',
    VITRINE_ORIGIN: origin,
    VITRINE_API_KEY: key,
  }
  const shop = spawn(process.execPath, ['shop.mjs'], { cwd: folder, env })
  const page = await browser.newPage() // the shop is another site than the one that other pages are held to
  try {
    const [url] = (await once(shop.stdout.setEncoding('utf8'), 'data')) as [string]
    await page.goto(url.trim())
    await expect(page.getByLabel('What').getByRole('option')).not.toHaveCount(0)
    await page.getByLabel('wallet’s address').fill('0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC')
    await page.getByLabel('Card').fill('4000 0000 0000 0002')
    await page.getByRole('button', { name: 'Pay' }).click()
    await expect(page.getByRole('status')).toHaveText(/card was declined/)
    await page.getByLabel('Card').fill('4242 4242 4242 4242')
    await page.getByRole('button', { name: 'Pay' }).click()
    await expect(page.getByRole('status')).toHaveText('Delivered.', { timeout: 60_000 })
  } finally {
    await page.close()
    shop.kill('SIGKILL')
  }
})

test('the documentation is read, searched and left without script', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: stack().origin })
  const page = await context.newPage()
  await page.goto('/docs')
  await page.getByRole('main').getByRole('link', { name: 'Sell by card' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Sell by card' })).toBeVisible()
  await expect(page.getByRole('cell', { name: '4242 4242 4242 4242' })).toBeVisible()
  await page.getByRole('searchbox').fill('mintWithVoucher price quantity')
  await page.getByRole('button', { name: 'Search' }).click()
  await page
    .getByRole('main')
    .getByRole('link', { name: /Sell by voucher/ })
    .first()
    .click()
  await expect(page.getByRole('heading', { level: 1, name: 'Sell by voucher' })).toBeVisible()
  await page.getByRole('link', { name: 'This page as Markdown' }).click()
  await expect(page.getByText('# Sell by voucher')).toBeVisible()
  await context.close()
})

test('every page of the documentation is there, is accessible, and its links lead somewhere', async ({ page }) => {
  test.setTimeout(300_000)
  const llms = await (await page.request.get('/llms.txt')).text()
  const pages = [...llms.matchAll(/\]\(\S*(\/docs\/[\w-]+)\.md\)/g)].map(([, url]) => url!)
  expect(pages.length).toBeGreaterThan(25)
  const links = new Set<string>()
  for (const url of pages) {
    const markdown = await page.request.get(`${url}.md`)
    expect([url, markdown.status(), markdown.headers()['content-type']]).toEqual([
      url,
      200,
      'text/markdown; charset=utf-8',
    ])
    await page.goto(url)
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
    for (const href of await page
      .getByRole('main')
      .getByRole('link')
      .evaluateAll((all) => all.map((a) => (a as HTMLAnchorElement).href)))
      if (href.startsWith(stack().origin)) links.add(href)
  }
  for (const href of links) {
    const answer = await page.request.get(href)
    expect([href, answer.status()]).toEqual([href, 200])
    const { hash } = new URL(href)
    if (hash && (answer.headers()['content-type'] ?? '').includes('html'))
      expect(await answer.text(), href).toContain(`id="${decodeURIComponent(hash.slice(1))}"`)
  }
  await page.goto('/docs/voucher')
  await expectAccessible(page)
})

test('on a phone names in tables of the documentation stay whole', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 664 })
  await page.goto('/docs/webhooks')
  const broken = await page
    .getByRole('cell')
    .locator('code')
    .evaluateAll((all) => all.filter((code) => code.getClientRects().length > 1).map((code) => code.textContent))
  expect(broken).toEqual([])
})

test('a page of the documentation that doesn’t exist is 404, as page and as Markdown', async ({ request }) => {
  for (const url of ['/docs/nothing', '/docs/nothing.md', '/docs/..%2Fkeys'])
    expect([url, (await request.get(url)).status()]).toEqual([url, 404])
})
