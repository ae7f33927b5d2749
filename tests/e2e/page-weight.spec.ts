import fs from 'node:fs'
import path from 'node:path'
import { collection, sendGift } from './support/gift.ts'
import { signIn } from './support/newcomer.ts'
import { scriptBytesOfEmptyPage } from './support/next-floor.ts'
import { type PageWeight, weigh } from './support/page-weight.ts'
import { freeOffer, offer, openByCard } from './support/selling.ts'
import { stack } from './support/stack.ts'
import { expect, test } from './support/test.ts'

/** `npm run bench:pages` also measures times, on a slow phone, and writes docs/benchmarks/pages.md. */
const report = process.env.BENCH_PAGES ? path.resolve(import.meta.dirname, '../../docs/benchmarks/pages.md') : null
const ROUNDS = report ? 7 : 1

/** The script of a Next page with one client component, in Brotli. `npm run bench:pages` measures it. */
const FLOOR = 115_300
/** The translator that every page has; its texts come with the page itself. */
const TEXTS = 3_000
const WITH_A_STEP = FLOOR + 34_400
const MOST_FONT = 45_000

/** The most script that a page may load before a wallet, a card form or a dialog is wanted, in bytes as sent. */
const MOST_SCRIPT = {
  claim: WITH_A_STEP,
  'card checkout': WITH_A_STEP,
  'voucher checkout': WITH_A_STEP,
  'free checkout': WITH_A_STEP,
  purchase: FLOOR + 60_000,
  wallet: FLOOR + 130_000,
  'public item': FLOOR + TEXTS + 10_000,
  'public collection': FLOOR + TEXTS + 10_000,
  'dashboard home': 204_000,
}
type Name = keyof typeof MOST_SCRIPT

test('pages load little script and few bytes of fonts at first', async ({ page, browser }) => {
  test.setTimeout(report ? 900_000 : 240_000)
  await signIn(page)
  const purchase = await openByCard((await offer()).id)
  const { itemId } = await freeOffer('BETA_FREE_MINT')
  const urls: Record<Name, string> = {
    claim: (await sendGift()).url,
    'card checkout': (await offer()).url,
    'voucher checkout': (await offer({ providers: ['MINT_VOUCHER'], price: '50000000000000000', currency: 'ETH' })).url,
    'free checkout': (await freeOffer('EMAIL_CLAIM')).url,
    purchase: `/p/${purchase.id}#${purchase.secret}`,
    wallet: '/wallet',
    'public item': `/i/${itemId}`,
    'public collection': `/c/${(await collection()).id}`,
    'dashboard home': '/dashboard',
  }
  const cookies = await page.context().cookies()
  const weights = new Map<Name, PageWeight>()
  for (const name of Object.keys(MOST_SCRIPT) as Name[]) {
    const rounds: PageWeight[] = []
    for (let round = 0; round < ROUNDS; round++)
      rounds.push(await weigh(browser, new URL(urls[name], stack().origin).href, { slow: report !== null, cookies }))
    weights.set(name, medianOf(rounds))
  }
  const floor = report ? scriptBytesOfEmptyPage() : null
  const table = tableOf(weights)
  console.log(table)
  if (report && floor !== null) fs.writeFileSync(report, documentOf(table, floor))
  for (const [name, { scriptBytes, fontBytes }] of weights) {
    expect.soft(scriptBytes, `script of ${name}`).toBeGreaterThan(50_000)
    expect.soft(scriptBytes, `script of ${name}`).toBeLessThanOrEqual(MOST_SCRIPT[name])
    expect.soft(fontBytes, `fonts of ${name}`).toBeLessThanOrEqual(MOST_FONT)
  }
})

function medianOf(rounds: readonly PageWeight[]): PageWeight {
  const median = (of: (round: PageWeight) => number) =>
    rounds.map(of).toSorted((a, b) => a - b)[Math.floor(rounds.length / 2)]!
  return {
    scriptBytes: median(({ scriptBytes }) => scriptBytes),
    fontBytes: median(({ fontBytes }) => fontBytes),
    largestPaintMs: median(({ largestPaintMs }) => largestPaintMs),
    blockedMs: median(({ blockedMs }) => blockedMs),
  }
}

function tableOf(weights: ReadonlyMap<Name, PageWeight>): string {
  const head = ['page', 'script kB', 'at most', 'fonts kB', 'largest paint ms', 'blocked ms']
  const lines = [...weights].map(([name, { scriptBytes, fontBytes, largestPaintMs, blockedMs }]) => [
    name,
    kilobytes(scriptBytes),
    kilobytes(MOST_SCRIPT[name]),
    kilobytes(fontBytes),
    Math.round(largestPaintMs).toLocaleString('en'),
    Math.round(blockedMs).toLocaleString('en'),
  ])
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(1)

const documentOf = (table: string, floor: number): string => `# Pages

What a page costs the browser that opens it for the first time, by \`npm run bench:pages\`: Chromium at 390 × 664, a production build, a processor four times slower, 8 Mbit/s, 84 ms, an empty
cache. Medians of ${ROUNDS} visits. Script and fonts are bodies in Brotli as they were sent, before a wallet, a card form or a dialog is wanted. “Blocked” is what tasks take beyond 50 ms each.
Times depend on what else the machine does; bytes don't, and \`tests/e2e/page-weight.spec.ts\` holds them.

The floor, a page of Next with one client component and nothing else: ${kilobytes(floor)} kB of script.

${table}
`

test('the source of no built code is kept in two bytes a character', () => {
  const build = path.resolve(import.meta.dirname, '../../.next')
  const files = fs
    .globSync('{server,web}/**/*.{js,mjs}', { cwd: build })
    .map((name) => path.join(build, name))
    .filter((file) => fs.statSync(file).isFile())
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => /[^\0-\xff]/.test(fs.readFileSync(file, 'utf8')))).toEqual([])
})
