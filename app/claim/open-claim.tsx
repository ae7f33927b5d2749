import { cookies } from 'next/headers'
import { notFound } from 'next/navigation'
import { PageFrame } from '@/app/language/page-frame'
import { sceneOf } from '@/components/claim/claim'
import { ClaimPage } from '@/components/claim/claim-page'
import { ClosedPage } from '@/components/claim/closed-page'
import { WidePicture } from '@/components/claim/item-case'
import { PlainClaim } from '@/components/claim/plain-claim'
import { WithoutScript } from '@/components/shared/without-script'
import { titleOf } from '@/components/ui/item-title'
import { now } from '@/lib/core/clock'
import { redeemAction, sendPinAction } from './actions'
import type { ClaimPlace } from './claim-place'
import { originFacts } from './origin-facts'
import { readClaim } from './read-claim'
import { REDEEMED_COOKIE } from './redeemed-cookie'
import { sellerOf } from './seller-of'

type Props = {
  place: ClaimPlace
  /** The outcome of the last form that was sent without script. */
  said: string | string[] | undefined
}

/** The texts of the steps, with those that make and open wallets. */
const TEXTS = ['claim', 'wallet'] as const

/** A claim, by its link or where it was handed over to. */
export async function OpenClaim({ place, said }: Props) {
  const { token } = place
  const claim = await readClaim(token)
  if (!claim) notFound()
  const seller = await sellerOf(claim.organization_id)
  if (claim.inactive_reason === 'REPLACED' || !claim.item)
    return (
      <PageFrame seller={seller}>
        <ClosedPage reason="replaced" />
      </PageFrame>
    )
  const { rpId, networks, takesNames } = await originFacts()
  const network = networks.find(({ id }) => id === claim.item?.token_contract.network_id)
  if (!network) throw new Error(`${titleOf(claim.item)} is on a network that is not configured.`)
  const readAt = now().getTime()
  const page = (
    <ClaimPage
      token={token}
      initial={claim}
      readAt={readAt}
      item={claim.item}
      picture={<WidePicture item={{ ...claim.item, translations: claim.public_item?.translations }} />}
      network={network}
      rpId={rpId}
      takesNames={takesNames}
      redeemedWithoutScript={(await cookies()).has(REDEEMED_COOKIE)}
    />
  )
  if (sceneOf(claim, readAt) !== 'open')
    return (
      <PageFrame seller={seller} texts={TEXTS}>
        {page}
      </PageFrame>
    )
  return (
    <PageFrame seller={seller} texts={TEXTS}>
      <div data-needs-script>{page}</div>
      <WithoutScript>
        <PlainClaim
          claim={claim}
          item={claim.item}
          said={typeof said === 'string' ? said : null}
          sendPin={sendPinAction.bind(null, place)}
          redeem={redeemAction.bind(null, place)}
        />
      </WithoutScript>
    </PageFrame>
  )
}
