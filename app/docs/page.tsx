import type { Metadata } from 'next'
import { Link } from '@/components/ui/link'
import { docsNavigation } from '@/app/docs/navigation'
import { DocsFrame } from '@/components/docs/docs-frame'
import { GUIDE_GROUPS } from '@/lib/platform/guides/pages'

export const metadata: Metadata = { title: 'Documentation' }

export default function DocsHome() {
  const { navigation, guides } = docsNavigation()
  const titles = new Map(guides.map(({ slug, title }) => [slug, title]))
  return (
    <DocsFrame navigation={navigation}>
      <div className="grid gap-8">
        <div className="grid gap-2">
          <h1 className="text-2xl font-medium">Documentation</h1>
          <p className="text-muted">
            Make digital collectibles, sell them, and give them to anyone with an email address. Begin with the start
            that is yours; each takes about ten minutes in the sandbox, which{' '}
            <code className="rounded-sm bg-well px-1 py-0.5 font-mono text-[0.875em]">npm run up</code> starts.
          </p>
        </div>
        {GUIDE_GROUPS.map(({ title, pages }) => (
          <section key={title} className="grid gap-3">
            <h2 className="text-lg font-medium">{title}</h2>
            <ul className="grid gap-px overflow-hidden rounded-lg border bg-line sm:grid-cols-2">
              {pages.map(({ slug, about }) => (
                <li key={slug} className="bg-pane">
                  <Link
                    href={`/docs/${slug}`}
                    prefetch={false}
                    className="grid h-full content-start gap-1 p-4 hover:bg-well"
                  >
                    <span className="text-glass">{titles.get(slug)}</span>
                    <span className="text-sm text-muted">{about}</span>
                  </Link>
                </li>
              ))}
              {pages.length % 2 === 1 && <li aria-hidden="true" className="bg-pane max-sm:hidden" />}
            </ul>
          </section>
        ))}
      </div>
    </DocsFrame>
  )
}
