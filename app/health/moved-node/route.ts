import { log } from '@/lib/core/log'
import { asAppError, logFailure, problem } from '@/lib/platform/http/problem'
import { countRequest } from '@/lib/platform/http/rate-limit'
import { clientAddressOf, requestIdOf } from '@/lib/platform/http/serve'

export const dynamic = 'force-dynamic'

/** A page reports what the net of components/shared/moved-nodes.tsx caught. */
export async function GET(request: Request): Promise<Response> {
  const requestId = requestIdOf(request)
  try {
    await countRequest('public-reads', clientAddressOf(request))
    log.warn({ requestId }, 'A browser moved a node of a page, and React’s change of it was caught.')
    return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })
  } catch (error) {
    const failure = asAppError(error)
    logFailure(failure, request, requestId)
    return problem(failure, requestId)
  }
}
