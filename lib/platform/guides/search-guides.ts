import { ERRORS } from '../../core/errors.ts'
import { headingId } from '../../core/heading-id.ts'
import { madeOnce } from '../../core/made-once.ts'
import { readGuides } from './find-guide.ts'

/** A part of a page that has every word that was asked for, with the beginning of its text that matters. */
export type GuideHit = { page: string; heading: string; href: string; excerpt: string }

export const MOST_HITS = 30
const EXCERPT_LENGTH = 180

/** Finds the sections of the documentation that contain every word, those with the words in their heading first. */
export function searchGuides(query: string): GuideHit[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 8)
  if (words.length === 0) return []
  const found = madeOnce('sections of guides', () => [...sections(), ...errorSections()]).flatMap((section) => {
    const heading = `${section.page} ${section.heading}`.toLowerCase()
    const text = section.text.toLowerCase()
    if (!words.every((word) => heading.includes(word) || text.includes(word))) return []
    const score = words.filter((word) => heading.includes(word)).length
    return [{ ...section, score }]
  })
  return found
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_HITS)
    .map(({ page, heading, href, text }) => ({ page, heading, href, excerpt: excerptOf(text, words[0]!) }))
}

type Section = { page: string; heading: string; href: string; text: string }

/** Every page, cut at its headings. */
function sections(): Section[] {
  return readGuides().flatMap(({ slug, title, markdown }) =>
    cutAtHeadings(markdown).map(({ heading, text }) => ({
      page: title,
      heading: heading === title ? '' : heading,
      href: heading === title ? `/docs/${slug}` : `/docs/${slug}#${headingId(heading)}`,
      text,
    })),
  )
}

function cutAtHeadings(markdown: string): { heading: string; text: string }[] {
  const parts: { heading: string; lines: string[] }[] = []
  let isCode = false
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode
    const heading = isCode ? null : /^#{1,3} (.+)$/.exec(line)
    if (heading) parts.push({ heading: heading[1]!.replaceAll('`', ''), lines: [] })
    else parts.at(-1)?.lines.push(line)
  }
  return parts.map(({ heading, lines }) => ({ heading, text: plainTextOf(lines.join('\n')) }))
}

const errorSections = (): Section[] =>
  Object.entries(ERRORS).map(([code, [status, title]]) => ({
    page: 'Errors',
    heading: code,
    href: `/docs/errors#${code}`,
    text: `${status} ${title}`,
  }))

const plainTextOf = (markdown: string): string =>
  markdown
    .replace(/^```.*$/gm, '')
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/[`*|]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

function excerptOf(text: string, word: string): string {
  const from = Math.max(0, text.toLowerCase().indexOf(word) - 60)
  const begin = from === 0 ? 0 : text.indexOf(' ', from) + 1
  const excerpt = text.slice(begin, begin + EXCERPT_LENGTH)
  const isCut = begin + EXCERPT_LENGTH < text.length
  return `${begin > 0 ? '… ' : ''}${isCut ? `${excerpt.replace(/\s+\S*$/, '')} …` : excerpt}`
}
