import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { headingId } from '../../lib/core/heading-id.ts'
import { findGuide, readGuides } from '../../lib/platform/guides/find-guide.ts'
import { GUIDE_PAGES } from '../../lib/platform/guides/pages.ts'
import { MOST_HITS, searchGuides } from '../../lib/platform/guides/search-guides.ts'
import { pagesToRun, pagesWithAnotherWay } from '../support/guides.ts'

const root = path.resolve(import.meta.dirname, '../..')
const guides = readGuides()

test('every guide of the repository is a page, once, and has a title', () => {
  const files = fs.readdirSync(path.join(root, 'docs/guides')).map((name) => `docs/guides/${name}`)
  expect(GUIDE_PAGES.map(({ file }) => file)).toEqual(expect.arrayContaining(files))
  expect(new Set(GUIDE_PAGES.map(({ slug }) => slug)).size).toBe(GUIDE_PAGES.length)
  for (const { slug, title } of guides) expect([slug, title]).toEqual([slug, expect.stringMatching(/\S/)])
})

test('what a newcomer copies is run', () => {
  const needed = ['start-seller', 'start-integrator', 'card', 'voucher', 'free-drop', 'gifts', 'idempotency', 'paging']
  expect(pagesToRun()).toEqual(expect.arrayContaining(needed))
  expect(pagesWithAnotherWay()).toEqual(['voucher'])
  for (const { slug, markdown } of guides)
    expect([slug, /^```\w+ (run|instead)$/m.test(markdown)]).toEqual([slug, false])
})

test('links between files become links between pages, and lead to headings that are there', () => {
  const ids = new Map(
    guides.map(({ slug, markdown }) => [
      slug,
      [...markdown.matchAll(/^#{1,3} (.+)$/gm)].map(([, heading]) => headingId(heading!.replaceAll('`', ''))),
    ]),
  )
  for (const { slug, markdown } of guides)
    for (const [, to, hash] of markdown.matchAll(/\]\(\/docs\/([\w-]+)(?:#([\w-]+))?\)/g)) {
      if (['reference', 'errors'].includes(to!)) continue
      expect([slug, to, ids.has(to!)]).toEqual([slug, to, true])
      if (hash) expect([slug, to, ids.get(to!)]).toEqual([slug, to, expect.arrayContaining([hash])])
    }
  expect(guides.find(({ slug }) => slug === 'card')!.markdown).toContain('](/docs/webhooks)')
  for (const { slug, markdown } of guides) expect([slug, /\]\([^)\s]*\.md/.exec(markdown)]).toEqual([slug, null])
  expect(guides.find(({ slug }) => slug === 'big-database')!.markdown).not.toContain('](benchmarks/')
})

test('a page is found by its name only', async () => {
  expect(findGuide('card')?.title).toBe('Sell by card')
  for (const name of ['nothing', '../keys', 'guides/card', 'card.md', '']) expect(findGuide(name)).toBeNull()
})

test('a search finds sections with all words, headings first, and nothing for nothing', async () => {
  const hits = searchGuides('clock Sandbox')
  expect(hits[0]).toMatchObject({ page: 'The sandbox', heading: 'The clock', href: '/docs/sandbox#the-clock' })
  expect(searchGuides('idempotency_mismatch').map(({ href }) => href)).toContain('/docs/errors#idempotency_mismatch')
  expect(searchGuides('card')[0]!.excerpt).toMatch(/ use the listing’s …$/)
  expect(searchGuides('card')).toHaveLength(MOST_HITS)
  expect(searchGuides('  ')).toEqual([])
  expect(searchGuides('clock zebra')).toEqual([])
})
