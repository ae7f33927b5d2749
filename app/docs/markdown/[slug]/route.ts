import { notFound } from '@/lib/core/errors'
import { problem } from '@/lib/platform/http/problem'
import { requestIdOf } from '@/lib/platform/http/serve'
import { findGuide } from '@/lib/platform/guides/find-guide'

/** A page's Markdown, at /docs/<page>.md (next.config.mjs). */
export async function GET(request: Request, { params }: { params: Promise<{ slug: string }> }): Promise<Response> {
  const guide = findGuide((await params).slug)
  if (!guide) return problem(notFound(), requestIdOf(request))
  return new Response(guide.markdown, {
    headers: { 'content-type': 'text/markdown; charset=utf-8', 'cache-control': 'public, max-age=300' },
  })
}
