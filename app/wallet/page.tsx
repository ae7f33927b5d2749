import type { Metadata } from 'next'
import { originFacts } from '@/app/claim/origin-facts'
import { Frame } from '@/components/shared/frame'
import { WalletPage } from '@/components/wallet/wallet-page'

export const metadata: Metadata = { title: 'My wallet', robots: { index: false }, referrer: 'no-referrer' }

export default async function Page() {
  const { rpId, networks } = await originFacts()
  return (
    <Frame>
      <WalletPage rpId={rpId} networks={networks} />
    </Frame>
  )
}
