import type { Metadata } from 'next'
import { originFacts } from '@/app/claim/origin-facts'
import { sellerOf } from '@/app/claim/seller-of'
import { PageFrame } from '@/app/language/page-frame'
import { WalletPage } from '@/components/wallet/wallet-page'

export const metadata: Metadata = { title: 'My wallet', robots: { index: false }, referrer: 'no-referrer' }

type Props = { searchParams: Promise<{ from?: string | string[] }> }

/** `from`: the organization whose page led here. */
export default async function Page({ searchParams }: Props) {
  const { from } = await searchParams
  const [facts, seller] = await Promise.all([originFacts(), typeof from === 'string' ? sellerOf(from) : null])
  return (
    <PageFrame seller={seller} texts={['wallet']}>
      <WalletPage {...facts} />
    </PageFrame>
  )
}
