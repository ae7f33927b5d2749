import { readFileSync } from 'node:fs'
import path from 'node:path'
import { env } from '../../core/env.ts'
import { madeOnce } from '../../core/made-once.ts'
import { GUIDE_PAGES, type GuidePage } from './pages.ts'

/** A page's title and its Markdown, with this installation's address and links that work on /docs. */
export type Guide = GuidePage & { title: string; markdown: string }

/** The address that the files name: the one of a sandbox. */
const WRITTEN_ORIGIN = 'http://localhost:3000'

/** The page of this name, or null. */
export const findGuide = (slug: string): Guide | null => readGuides().find((each) => each.slug === slug) ?? null

/** All pages, in the order of the navigation. */
export const readGuides = (): readonly Guide[] => madeOnce('guides', () => GUIDE_PAGES.map(readPage))

function readPage(page: GuidePage): Guide {
  const text = readFileSync(path.join(/* turbopackIgnore: true */ process.cwd(), page.file), 'utf8')
  return { ...page, title: titleOf(text), markdown: shown(text) }
}

const titleOf = (text: string): string => /^# (.+)$/m.exec(text)?.[1] ?? ''

/**
 * Blocks that the tests run are marked ` run` or ` instead`, which no reader needs. Links to files become links to
 * their pages; what is in the repository alone is named without a link.
 */
const shown = (text: string): string =>
  text
    .replaceAll(WRITTEN_ORIGIN, env.ORIGIN)
    .replace(/^```(\w+) (?:run|instead)$/gm, '```$1')
    .replace(/\]\((?!https?:|\/|#)([^)#\s]*?)([\w-]+)\.md(#[^)]*)?\)/g, (whole, _folder, name: string, hash = '') =>
      GUIDE_PAGES.some(({ slug }) => slug === name) ? `](/docs/${name}${hash})` : whole,
    )
    .replace(/\[([^\]]+)\]\((?!https?:|\/|#)[^)\s]*?(?:\.md(?:#[^)]*)?|\/)\)/g, '$1')
