import { askProvider } from '@/lib/sandbox-cards/provider'

const CORS = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'Request-Id' }
const PREFLIGHT = { ...CORS, 'access-control-allow-methods': 'GET, POST', 'access-control-allow-headers': 'Authorization, Content-Type, Stripe-Account, Stripe-Version, Idempotency-Key', 'access-control-max-age': '86400' }

/** The built-in card provider, as Stripe's API is: buyers' pages of any site pay here. Nothing real is ever charged. */
async function answer(request: Request): Promise<Response> {
  const url = new URL(request.url)
  url.pathname = url.pathname.replace(/^\/sandbox\/cards/, '')
  const body = request.method === 'POST' ? await request.text() : undefined
  const response = await askProvider(new Request(url, { method: request.method, headers: request.headers, ...(body !== undefined && { body }) }))
  for (const [name, value] of Object.entries(CORS)) response.headers.set(name, value)
  return response
}

export { answer as GET, answer as POST }
export const OPTIONS = () => new Response(null, { status: 204, headers: PREFLIGHT })
