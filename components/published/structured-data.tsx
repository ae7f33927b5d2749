import { useLocale } from 'next-intl'

/** The data of a page for search engines (schema.org). Paths become addresses by the page's own. */
export function StructuredData({ path, data }: { path: string; data: Record<string, unknown> }) {
  const page = { '@type': 'WebPage', url: path, inLanguage: useLocale() }
  const text = JSON.stringify({ '@context': 'https://schema.org', ...data, url: path, mainEntityOfPage: page })
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: text.replaceAll('<', '\\u003c') }} />
}
