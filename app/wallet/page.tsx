import { titled } from '@/app/language/titled'
import { originFacts } from '@/app/claim/origin-facts'
import { sellerOf } from '@/app/claim/seller-of'
import { PageFrame } from '@/app/language/page-frame'
import { WalletPage } from '@/components/wallet/wallet-page'

export const generateMetadata = titled('common', 'myWallet', {
  robots: { index: false },
  // The form of its language switch is accepted by its Origin, which browsers leave out under no-referrer.
  referrer: 'same-origin',
})

type Props = { searchParams: Promise<{ from?: string | string[] }> }

/** `from`: the organization whose page led here. */
export default async function Page({ searchParams }: Props) {
  const { from } = await searchParams
  const [facts, seller] = await Promise.all([originFacts(), typeof from === 'string' ? sellerOf(from) : null])
  return (
    <PageFrame seller={seller} texts={['wallet', 'ownWallet', 'published']}>
      <WalletPage {...facts} />
    </PageFrame>
  )
}
