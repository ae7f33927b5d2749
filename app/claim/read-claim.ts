import { headers } from 'next/headers'
import { GET } from '@/app/public/v1/email-claims/[claim_token]/route'
import type { ClaimView } from '@/components/claim/claim'
import { env } from '@/lib/core/env'

/** The claim's public state as the public endpoint returns it, called in process; null for a token that was never issued. */
export async function readClaim(token: string): Promise<ClaimView | null> {
  const client = (await headers()).get('x-client-address') ?? ''
  const request = new Request(`${env.ORIGIN}/public/v1/email-claims/${encodeURIComponent(token)}`, {
    headers: { 'x-client-address': client },
  })
  const response = await GET(request, { params: Promise.resolve({ claim_token: token }) })
  if (response.status === 404) return null
  if (!response.ok) throw new Error(`The claim could not be read: ${response.status}.`)
  return (await response.json()) as ClaimView
}
