import { authenticate } from '@/lib/platform/auth/authenticate'
import { checkReadiness } from '@/lib/offers/networks/check-readiness'

export const dynamic = 'force-dynamic'

/** Readiness: 503 while a dependency doesn't respond. */
export async function GET(request: Request): Promise<Response> {
  const ctx = await authenticate('none', request, {}, { requestId: 'health', clientAddress: '' })
  const readiness = await checkReadiness(ctx)
  return Response.json(readiness, { status: readiness.ready ? 200 : 503, headers: { 'cache-control': 'no-store' } })
}
