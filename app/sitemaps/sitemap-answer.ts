import { env } from '@/lib/core/env'
import { AppError } from '@/lib/core/errors'
import { problem } from '@/lib/platform/http/problem'
import { countRequest } from '@/lib/platform/http/rate-limit'
import { clientAddressOf, requestIdOf } from '@/lib/platform/http/serve'

const ENTRY = { urlset: 'url', sitemapindex: 'sitemap' } as const

/** A sitemap of paths, or of sitemaps; counted as a read of the public API. `find` gives null where there is none. */
export async function sitemapAnswer(
  request: Request,
  kind: keyof typeof ENTRY,
  find: () => Promise<string[] | null>,
): Promise<Response> {
  try {
    await countRequest('public-reads', clientAddressOf(request))
  } catch (error) {
    if (error instanceof AppError) return problem(error, requestIdOf(request))
    throw error
  }
  const paths = await find()
  if (!paths)
    return new Response('There is no such sitemap.', { status: 404, headers: { 'content-type': 'text/plain' } })
  const entries = paths.map((path) => `<${ENTRY[kind]}><loc>${env.ORIGIN}${path}</loc></${ENTRY[kind]}>`)
  const text =
    `<?xml version="1.0" encoding="UTF-8"?>\n<${kind} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n` +
    `${entries.join('\n')}\n</${kind}>\n`
  return new Response(text, {
    headers: { 'content-type': 'application/xml; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  })
}
