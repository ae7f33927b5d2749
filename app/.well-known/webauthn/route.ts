import { env } from '@/lib/core/env'

export const dynamic = 'force-dynamic'

/** The origins of other domains that may use passkeys bound to this host (Related Origin Requests of WebAuthn). */
export function GET(): Response {
  if (env.PASSKEY_ORIGINS.length === 0) return new Response(null, { status: 404 })
  return Response.json({ origins: env.PASSKEY_ORIGINS }, { headers: { 'cache-control': 'public, max-age=300' } })
}
