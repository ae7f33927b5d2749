import type { ClaimView } from '@/components/claim/claim'
import { env } from '@/lib/core/env'

/** The claim's public state as P3 answers it; null for a token that was never issued. */
export async function readClaim(token: string): Promise<ClaimView | null> {
  const response = await fetch(`http://127.0.0.1:${env.PORT}/public/v1/email-claims/${encodeURIComponent(token)}`, { cache: 'no-store' })
  if (response.status === 404) return null
  if (!response.ok) throw new Error(`The claim could not be read: ${response.status}.`)
  return (await response.json()) as ClaimView
}
