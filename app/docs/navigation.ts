import type { DocsNavigation } from '@/components/docs/docs-frame'
import { GUIDE_GROUPS } from '@/lib/platform/guides/pages'
import { type Guide, readGuides } from '@/lib/platform/guides/find-guide'

/** The pages as the navigation shows them, and all of them in one list. */
export function docsNavigation(): { navigation: DocsNavigation; guides: readonly Guide[] } {
  const guides = readGuides()
  const titles = new Map(guides.map(({ slug, title }) => [slug, title]))
  const navigation = GUIDE_GROUPS.map(({ title, pages }) => ({
    title,
    pages: pages.map(({ slug }) => ({ slug, title: titles.get(slug) ?? slug })),
  }))
  return { navigation, guides }
}
