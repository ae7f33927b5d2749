import { authenticate } from '@/lib/platform/auth/authenticate'
import { assertHealthKey } from '@/lib/platform/auth/health-key'
import { asAppError, problem } from '@/lib/platform/http/problem'
import { requestIdOf } from '@/lib/platform/http/serve'
import { checkStatus } from '@/lib/offers/networks/check-status'

export const dynamic = 'force-dynamic'

/** Tells whoever has HEALTH_KEY whether the whole installation has what it needs: 503 while something is missing. */
export async function GET(request: Request): Promise<Response> {
  const requestId = requestIdOf(request)
  try {
    assertHealthKey(request)
    const ctx = await authenticate('none', request, {}, { requestId, clientAddress: '' })
    const status = await checkStatus(ctx)
    return Response.json(status, { status: status.ok ? 200 : 503, headers: { 'cache-control': 'no-store' } })
  } catch (error) {
    return problem(asAppError(error), requestId)
  }
}
