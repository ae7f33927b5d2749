import { env } from '@/lib/core/env'
import { MAX_FORM_BYTES } from '@/lib/platform/http/body-limits'
import { asAppError } from '@/lib/platform/http/problem'
import { countRequest } from '@/lib/platform/http/rate-limit'
import { clientAddressOf } from '@/lib/platform/http/serve'
import { readBodyText } from '@/lib/platform/http/request-body'
import { handleSandboxRequest } from '@/lib/ports/sandbox-cards/provider'

const CORS = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'Request-Id' }
const PREFLIGHT = {
  ...CORS,
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'Authorization, Content-Type, Stripe-Account, Stripe-Version, Idempotency-Key',
  'access-control-max-age': '86400',
}

/**
 * The built-in card provider's API, in the shape of Stripe's. Pages of any origin may pay here; nothing real is
 * charged.
 */
async function answer(request: Request): Promise<Response> {
  const response = await provider(request).catch(failed)
  for (const [name, value] of Object.entries(CORS)) response.headers.set(name, value)
  return response
}

/** Our own refusal or failure, in the provider's error format. */
function failed(error: unknown): Response {
  const { status, message, retryAfterSeconds } = asAppError(error)
  const headers = { ...(retryAfterSeconds !== undefined && { 'retry-after': String(Math.ceil(retryAfterSeconds)) }) }
  const type = status === 429 ? 'rate_limit_error' : status < 500 ? 'invalid_request_error' : 'api_error'
  return Response.json({ error: { type, message } }, { status, headers })
}

async function provider(request: Request): Promise<Response> {
  await countRequest(request.method === 'GET' ? 'public-reads' : 'public-writes', clientAddressOf(request))
  const url = new URL(request.url)
  url.pathname = url.pathname.replace(/^\/sandbox\/cards/, '')
  const body = request.method === 'POST' ? await readBodyText(request, MAX_FORM_BYTES) : undefined
  return handleSandboxRequest(
    new Request(url, { method: request.method, headers: request.headers, ...(body !== undefined && { body }) }),
    { hidden: !env.VITRINE_SANDBOX },
  )
}

export { answer as GET, answer as POST }
export const OPTIONS = () => new Response(null, { status: 204, headers: PREFLIGHT })
