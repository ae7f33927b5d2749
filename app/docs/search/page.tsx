import type { Metadata } from 'next'
import { docsNavigation } from '@/app/docs/navigation'
import { DocsFrame } from '@/components/docs/docs-frame'
import { TextLink } from '@/components/ui/text-link'
import { MOST_HITS, searchGuides } from '@/lib/platform/guides/search-guides'

export const metadata: Metadata = { title: 'Search', robots: { index: false } }

type Props = { searchParams: Promise<{ q?: string | string[] }> }

export default async function DocsSearch({ searchParams }: Props) {
  const query = String([(await searchParams).q ?? ''].flat()[0]).slice(0, 200)
  const { navigation } = docsNavigation()
  const hits = searchGuides(query)
  return (
    <DocsFrame navigation={navigation} query={query}>
      <div className="grid gap-6">
        <h1 className="text-2xl font-medium wrap-anywhere">{query ? `Search: ${query}` : 'Search'}</h1>
        <p className="text-muted">{query === '' ? 'Type a word or two above.' : foundOf(hits.length)}</p>
        <ul className="grid gap-5">
          {hits.map(({ page, heading, href, excerpt }) => (
            <li key={href} className="grid gap-1">
              <TextLink href={href} prefetch={false} className="w-fit">
                {heading ? `${page}: ${heading}` : page}
              </TextLink>
              <p className="text-sm text-muted">{excerpt}</p>
            </li>
          ))}
        </ul>
      </div>
    </DocsFrame>
  )
}

function foundOf(hits: number): string {
  if (hits === 0) return 'Nothing has all of these words. Try fewer, or another one.'
  if (hits === MOST_HITS) return `The ${hits} sections that fit best. With another word there are fewer.`
  return hits === 1 ? 'One section has these words.' : `${hits} sections have these words.`
}
