import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { giftPreviewOf } from '@/app/c/preview'
import { OpenClaim } from '../open-claim'
import { readClaim } from '../read-claim'
import { sellerOf } from '../seller-of'

type Props = { params: Promise<{ claimToken: string }>; searchParams: Promise<{ said?: string | string[] }> }

/** A preview of the link says who gives, and nothing of what it is or whom it is for. */
export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const claim = await readClaim((await params).claimToken)
  const seller = claim && (await sellerOf(claim.organization_id))
  const t = await getTranslations('claim.page')
  return {
    title: t('title'),
    robots: { index: false, follow: false },
    // Its forms are accepted by their Origin, which browsers leave out under no-referrer.
    referrer: 'same-origin',
    ...(seller && (await giftPreviewOf(seller))),
  }
}

export default async function Page({ params, searchParams }: Props) {
  const { claimToken } = await params
  const { said } = await searchParams
  return <OpenClaim place={{ token: claimToken, code: null }} said={said} />
}
