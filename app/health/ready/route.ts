import { authenticate } from '@/lib/platform/auth/authenticate'
import { checkReadiness } from '@/lib/offers/networks/check-readiness'

export const dynamic = 'force-dynamic'

/** What we stand on answers; 503 while something of it doesn't. */
export async function GET(request: Request): Promise<Response> {
  const ctx = await authenticate('none', request, {}, { requestId: 'health', clientAddress: '' })
  const readiness = await checkReadiness(ctx)
  return Response.json(readiness, { status: readiness.ready ? 200 : 503, headers: { 'cache-control': 'no-store' } })
}
