import { execFileSync } from 'node:child_process'
import type { Page } from '@playwright/test'
import { chunks, sendRaw } from '../support/send-raw.ts'
import { makeNewcomer } from './support/newcomer.ts'
import { mailTo, stack } from './support/stack.ts'
import { expect, test } from './support/test.ts'

const MIB = 1024 * 1024
const SENT_BYTES = 200 * MIB
const PATHS = [
  '/sign-in',
  '/api/auth/signin/email',
  '/webhooks/cards/sandbox',
  '/sandbox/cards/v1/payment_intents',
  '/sandbox/cards/authenticate/pi_x/answer',
  '/public/v1/purchase-intents',
  '/v1/items',
  '/dashboard/items',
]

const memoryOf = (pid: number) =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024

/**
 * Sends a large body to each path, declared or in chunks, and gives the most memory that the web process had meanwhile.
 */
async function sendEverywhere(declared: boolean): Promise<number> {
  const { origin, pids } = stack()
  let most = 0
  const look = () => (most = Math.max(most, memoryOf(pids.web)))
  const timer = setInterval(look, 100)
  // A path that needs no body may answer before it has read any.
  const answers = declared ? /^HTTP\/1\.1 413 / : /^HTTP\/1\.1 [2-4]\d\d /
  for (const path of PATHS) {
    const length = declared ? `content-length: ${SENT_BYTES}` : 'transfer-encoding: chunked'
    const type = 'content-type: application/x-www-form-urlencoded'
    const head = `POST ${path} HTTP/1.1\r\nhost: ${new URL(origin).host}\r\n${type}\r\n${length}\r\n\r\n`
    expect(await sendRaw(Number(new URL(origin).port), head, chunks(SENT_BYTES)), path).toMatch(answers)
    look()
  }
  clearInterval(timer)
  return most
}

test('200 MB sent to any path move the memory of the web process by less than 20 MB', async () => {
  for (const declared of [true, false]) {
    await sendEverywhere(declared) // loads what the paths need
    const growths: number[] = []
    // The process's own work moves its memory too: one round of three without growth proves that bodies don't.
    for (let round = 0; round < 3 && !growths.some((growth) => growth < 20 * MIB); round++) {
      const before = memoryOf(stack().pids.web)
      growths.push((await sendEverywhere(declared)) - before)
    }
    expect(Math.min(...growths)).toBeLessThan(20 * MIB)
  }
})

test('nobody has pictures converted', async ({ request }) => {
  for (const source of ['/icon.svg', '/media/art/x.svg', 'https://example.com/a.png'])
    expect((await request.get(`/_next/image?url=${encodeURIComponent(source)}&w=640&q=75`)).status()).toBe(404)
})

test('an item without an image has a drawn picture', async ({ request }) => {
  const { results } = (await (await request.get('/public/v1/items?limit=1')).json()) as { results: { id: string }[] }
  const picture = await request.get(`/media/art/${results[0]!.id}.svg`)
  expect([picture.status(), picture.headers()['content-type']]).toEqual([200, 'image/svg+xml; charset=utf-8'])
  expect(await picture.text()).toMatch(/^<svg xmlns="[^"]+" width="1200".*<\/svg>$/)
})

test('a broken escape in a path is refused, on pages too', async () => {
  const { host, port } = new URL(stack().origin)
  for (const path of ['/dashboard/%zz', '/claim/%ff', '/v1/items/%E0%A4%A', '/media/art/%', '/health/%zz']) {
    const answer = await sendRaw(Number(port), `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
    expect(answer, path).toMatch(/^HTTP\/1\.1 400 .*"code":"invalid_request"/s)
  }
})

test('a form that the sign-in page sent is refused when another site sends it', async ({ page, request }) => {
  const { email } = await makeNewcomer()
  const { origin } = stack()
  await page.goto('/sign-in')
  await page.getByLabel(/email/i).fill(email)
  const sending = page.waitForRequest((asked) => asked.method() === 'POST' && asked.url().endsWith('/sign-in'))
  const begun = new Date()
  await page.getByRole('button', { name: /link/i }).click()
  const sent = await sending
  await mailTo(email, /sign in/i, begun)

  const headers = await sent.allHeaders()
  const replay = (from: Record<string, string>) =>
    request.post('/sign-in', {
      headers: { 'next-action': headers['next-action']!, 'content-type': headers['content-type']!, ...from },
      data: sent.postDataBuffer()!,
      maxRedirects: 0,
    })
  const foreign = await replay({ origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' })
  expect([foreign.status(), (await foreign.json()).code]).toEqual([403, 'forbidden'])
  expect((await replay({ origin: 'null' })).status()).toBe(403)
  expect((await replay({ origin })).status()).toBeLessThan(400)
})

const violationsOn = (page: Page) => {
  const violations: string[] = []
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) violations.push(message.text())
  })
  return violations
}

test('the docs and sign-in pages work under their script policy', async ({ page }) => {
  const violations = violationsOn(page)
  await page.goto('/docs/card')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.goto('/docs/reference')
  await expect(page.getByRole('heading', { name: /Vitrine/ }).first()).toBeVisible()
  await page.goto('/docs/errors')
  await expect(page.getByRole('heading', { name: 'headers_too_large' })).toBeVisible()
  await page.goto('/sign-in')
  await expect(page.getByRole('button', { name: /link/i })).toBeEnabled()
  expect(violations).toEqual([])
})
