import { cache } from 'react'
import { GET } from '@/app/public/v1/email-claims/[claim_token]/route'
import { getFromPage } from '@/app/public/get-from-page'
import type { ClaimView } from '@/components/claim/claim'

/**
 * The claim's public state as the public endpoint returns it, called in process; null for a token that was never
 * issued.
 */
export const readClaim = cache((token: string) =>
  getFromPage<ClaimView>(GET, `/public/v1/email-claims/${encodeURIComponent(token)}`, { claim_token: token }),
)
