/** What search engines read of a page (schema.org). Paths become addresses by the page's own. */
export function StructuredData({ data }: { data: Record<string, unknown> }) {
  const text = JSON.stringify({ '@context': 'https://schema.org', ...data }).replaceAll('<', '\\u003c')
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: text }} />
}
