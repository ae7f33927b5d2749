import { env } from '@/lib/core/env'
import { GUIDE_GROUPS } from '@/lib/platform/guides/pages'
import { readGuides } from '@/lib/platform/guides/find-guide'

export const dynamic = 'force-dynamic' // ORIGIN is known at start, not at build time

/** Lists the pages to read, for language models (llmstxt.org). */
export function GET(): Response {
  const titles = new Map(readGuides().map(({ slug, title }) => [slug, title]))
  const groups = GUIDE_GROUPS.map(({ title, pages }) => {
    const lines = pages.map(
      ({ slug, about }) => `- [${titles.get(slug) ?? slug}](${env.ORIGIN}/docs/${slug}.md): ${about}`,
    )
    return `## ${title}\n\n${lines.join('\n')}`
  })
  const interfaces =
    'Two HTTP interfaces, both described by OpenAPI 3.1: the public one for shops and buyers needs no key, ' +
    'the administrative one takes an API key.'
  const text = `# Vitrine

> Make digital collectibles, sell them, and give them to anyone with an email address. Self-hosted.

${interfaces}

${groups.join('\n\n')}

## Reference

- [Public interface](${env.ORIGIN}/openapi/public.json): OpenAPI document.
- [Administrative interface](${env.ORIGIN}/openapi/admin.json): OpenAPI document.
- [Errors](${env.ORIGIN}/docs/errors): every error code.
`
  return new Response(text, {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=300' },
  })
}
