import type { Metadata } from 'next'
import { Link } from '@/components/ui/link'
import { notFound } from 'next/navigation'
import { docsNavigation } from '@/app/docs/navigation'
import { DocsFrame } from '@/components/docs/docs-frame'
import { Markdown } from '@/components/docs/markdown'
import { findGuide } from '@/lib/platform/guides/find-guide'
import { headingsOf } from '@/lib/platform/guides/headings-of'

type Props = { params: Promise<{ slug: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { slug } = await params
  const { title, about } = findGuide(slug) ?? notFound()
  return { title, description: about, alternates: { types: { 'text/markdown': `/docs/${slug}.md` } } }
}

export default async function GuidePage({ params }: Props) {
  const { slug } = await params
  const { markdown } = findGuide(slug) ?? notFound()
  const { navigation, guides } = docsNavigation()
  const at = guides.findIndex((guide) => guide.slug === slug)
  const [before, after] = [guides[at - 1], guides[at + 1]]
  return (
    <DocsFrame navigation={navigation} current={slug} headings={headingsOf(markdown)}>
      <Markdown text={markdown} />
      <footer className="mt-10 flex flex-wrap justify-between gap-x-6 gap-y-2 border-t pt-5 text-sm print:hidden">
        {before && (
          <Link href={`/docs/${before.slug}`} prefetch={false} className="rounded-sm text-glass">
            {`← ${before.title}`}
          </Link>
        )}
        <a href={`/docs/${slug}.md`} className="rounded-sm text-muted underline underline-offset-3">
          This page as Markdown
        </a>
        {after && (
          <Link href={`/docs/${after.slug}`} prefetch={false} className="rounded-sm text-glass">
            {`${after.title} →`}
          </Link>
        )}
      </footer>
    </DocsFrame>
  )
}
