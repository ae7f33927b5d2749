import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { ClaimPage } from '@/components/claim/claim-page'
import { ClosedPage } from '@/components/claim/closed-page'
import { titleOf } from '@/components/ui/picture'
import { Frame } from '@/components/shared/frame'
import { originFacts } from '../origin-facts'
import { sellerOf } from '../seller-of'
import { readClaim } from './read-claim'

type Props = { params: Promise<{ claimToken: string }> }

export const metadata: Metadata = {
  title: 'Something for you',
  robots: { index: false, follow: false },
  referrer: 'no-referrer',
}

export default async function Page({ params }: Props) {
  const { claimToken } = await params
  const claim = await readClaim(claimToken)
  if (!claim) notFound()
  const seller = await sellerOf(claim.organization_id)
  if (claim.inactive_reason === 'REPLACED' || !claim.item)
    return (
      <Frame seller={seller}>
        <ClosedPage reason="replaced" />
      </Frame>
    )
  const { rpId, networks } = await originFacts()
  const network = networks.find(({ id }) => id === claim.item?.token_contract.network_id)
  if (!network) throw new Error(`${titleOf(claim.item)} is on a network that is not configured.`)
  return (
    <Frame seller={seller}>
      <ClaimPage token={claimToken} initial={claim} item={claim.item} network={network} rpId={rpId} />
    </Frame>
  )
}
