import { inboxFolder } from '@/app/dev/inbox'
import { notFound } from '@/lib/core/errors'
import { problem } from '@/lib/platform/http/problem'
import { requestIdOf } from '@/lib/platform/http/serve'
import { listInboxMail } from '@/lib/ports/mail/inbox'

/** The sandbox's inbox as JSON, newest first; `?to=` filters by recipient. */
export async function GET(request: Request): Promise<Response> {
  const folder = inboxFolder()
  if (!folder) return problem(notFound(), requestIdOf(request))
  const to = new URL(request.url).searchParams.get('to') ?? undefined
  return Response.json(await listInboxMail(folder, { to }), { headers: { 'cache-control': 'no-store' } })
}
