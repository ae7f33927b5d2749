import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import { notFound } from 'next/navigation'
import { sceneOf } from '@/components/claim/claim'
import { ClaimPage } from '@/components/claim/claim-page'
import { ClosedPage } from '@/components/claim/closed-page'
import { PlainClaim } from '@/components/claim/plain-claim'
import { WithoutScript } from '@/components/shared/without-script'
import { titleOf } from '@/components/ui/picture'
import { Frame } from '@/components/shared/frame'
import { now } from '@/lib/core/clock'
import { originFacts } from '../origin-facts'
import { sellerOf } from '../seller-of'
import { redeemAction, sendPinAction } from './actions'
import { readClaim } from './read-claim'
import { REDEEMED_COOKIE } from './redeemed-cookie'

type Props = { params: Promise<{ claimToken: string }>; searchParams: Promise<{ said?: string | string[] }> }

export const metadata: Metadata = {
  title: 'Something for you',
  robots: { index: false, follow: false },
  // Its forms are accepted by their Origin, which browsers leave out under no-referrer.
  referrer: 'same-origin',
}

export default async function Page({ params, searchParams }: Props) {
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
  const page = (
    <ClaimPage
      token={claimToken}
      initial={claim}
      item={claim.item}
      network={network}
      rpId={rpId}
      redeemedWithoutScript={(await cookies()).has(REDEEMED_COOKIE)}
    />
  )
  if (sceneOf(claim, now().getTime()) !== 'open') return <Frame seller={seller}>{page}</Frame>
  const { said } = await searchParams
  return (
    <Frame seller={seller}>
      <div data-needs-script>{page}</div>
      <WithoutScript>
        <PlainClaim
          claim={claim}
          item={claim.item}
          said={typeof said === 'string' ? said : null}
          sendPin={sendPinAction.bind(null, claimToken)}
          redeem={redeemAction.bind(null, claimToken)}
        />
      </WithoutScript>
    </Frame>
  )
}
