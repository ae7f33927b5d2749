import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { APIRequestContext } from '@playwright/test'
import { fileOf, pagesToRun, pagesWithAnotherWay, patternOf, runProgram, writeProgram } from '../support/guides.ts'
import { expectAccessible } from './support/axe.ts'
import { stack } from './support/stack.ts'
import { expect, test } from './support/test.ts'

test.describe('the programs of the guides do what the guides say', () => {
  /**
   * It moves the time of the whole sandbox, which other tests run by; tests/domain/sandbox-clock.test.ts does the same.
   */
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

/**
 * What a page, a text or a Markdown file of this site says, with what it links to and the places that can be linked to.
 */
async function readPage(request: APIRequestContext, url: string) {
  const answer = await request.get(url)
  const type = answer.headers()['content-type'] ?? ''
  const isHtml = type.startsWith('text/html')
  const text = /^text\/(html|plain|markdown)/.test(type) ? await answer.text() : ''
  const written = isHtml ? text.matchAll(/<a\b[^>]*?\shref="([^"]*)"/g) : text.matchAll(/\]\(([^()\s]+)\)/g)
  const links = [...written].map(([, href]) => new URL(href!.replaceAll('&amp;', '&'), new URL(url, stack().origin)))
  const ids = isHtml ? new Set([...text.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id!)) : null
  return { status: answer.status(), type, text, ids, links: links.filter(({ origin }) => origin === stack().origin) }
}

test('every page of the documentation is there, and every link of it leads somewhere', async ({ request }) => {
  test.setTimeout(300_000)
  const llms = await (await request.get('/llms.txt')).text()
  const pages = [...llms.matchAll(/\]\(\S*(\/docs\/[\w-]+)\.md\)/g)].map(([, url]) => url!)
  expect(pages.length).toBeGreaterThan(25)
  const known = new Map<string, Awaited<ReturnType<typeof readPage>>>()
  const read = async (url: string) => {
    const found = known.get(url) ?? (await readPage(request, url))
    known.set(url, found)
    return found
  }
  const wrong: string[] = []
  const others = ['/', '/docs', '/docs/errors', '/docs/search?q=card', '/docs/reference', '/llms.txt']
  for (const url of [...pages, ...pages.map((page) => `${page}.md`), ...others]) {
    const { status, type, text, links } = await read(url)
    expect([url, status, type]).toEqual([
      url,
      200,
      expect.stringContaining(url.endsWith('.md') ? 'text/markdown' : 'text/'),
    ])
    if (pages.includes(url)) expect([url, text.match(/<h1[ >]/g)?.length]).toEqual([url, 1])
    for (const { pathname, search, hash } of links) {
      const target = await read(pathname + search)
      const isThere = !hash || !target.ids || target.ids.has(decodeURIComponent(hash.slice(1)))
      if (target.status !== 200 || !isThere) wrong.push(`${url} → ${pathname}${search}${hash} (${target.status})`)
    }
  }
  expect([...new Set(wrong)]).toEqual([])
})

test('a page of the documentation is accessible', async ({ page }) => {
  for (const url of ['/docs', '/docs/voucher', '/docs/search?q=card']) {
    await page.goto(url)
    await expectAccessible(page)
  }
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
