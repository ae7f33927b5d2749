import { env } from '@/lib/core/env'
import { notFound } from '@/lib/core/errors'
import { asAppError, logFailure, problem } from '@/lib/platform/http/problem'
import { requestIdOf } from '@/lib/platform/http/serve'
import type { SandboxClock } from '@/lib/records/sandbox-clock/read-sandbox-clock'

export const clockAnswer = ({ now, realNow, aheadSeconds }: SandboxClock): Response =>
  Response.json(
    { now: now.toISOString(), real_now: realNow.toISOString(), ahead_seconds: aheadSeconds },
    { headers: { 'cache-control': 'no-store' } },
  )

/** A handler that only a sandbox has. Its errors are problem documents, as everywhere. */
export const sandboxRoute =
  (handle: (request: Request) => Promise<Response>) =>
  async (request: Request): Promise<Response> => {
    const requestId = requestIdOf(request)
    const response = await (env.VITRINE_SANDBOX ? handle(request) : Promise.reject(notFound())).catch(
      (error: unknown) => {
        const failure = asAppError(error)
        logFailure(failure, request, requestId)
        return problem(failure, requestId)
      },
    )
    response.headers.set('request-id', requestId)
    return response
  }
