import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import GuidePage from '../../app/docs/[slug]/page.tsx'
import { GUIDE_PAGES } from '../../lib/platform/guides/pages.ts'
import { inEnglish } from '../support/in-english.ts'

test('each page of the docs lists its headings beside its name, and each of them leads to its place', async () => {
  for (const { slug } of GUIDE_PAGES) {
    const page = renderToStaticMarkup(inEnglish(await GuidePage({ params: Promise.resolve({ slug }) })))
    const [list] = /<ul aria-label="On this page"[\s\S]*?<\/ul>/.exec(page) ?? ['']
    const listed = [...list.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
    const shown = [...page.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id)
    expect([slug, listed]).toEqual([slug, shown])
  }
})
