import type { Metadata } from 'next'
import { ConnectContractForm } from '@/components/dashboard/collections/connect-contract-form'
import { Alert } from '@/components/ui/alert'
import { PageHeader } from '@/components/ui/page-header'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { networkFacts } from '@/lib/offers/networks/network-facts'
import { createCollectionAction } from '../actions'

export const metadata: Metadata = { title: 'Connect a contract' }

export default async function ConnectContractPage() {
  const networks = networkFacts(await dashboardContext())
  return (
    <>
      <PageHeader
        back={{ href: '/dashboard/collections', label: 'Collections' }}
        title="Connect a contract"
        description="One that is on a chain already. Its tokens become items here, with owners and history from its first block on. We mint in it only if it lets us."
      />
      {networks.length === 0 ? (
        <Alert tone="warning" title="No network is configured.">
          Whoever runs this installation sets RPC_URLS; then networks appear here.
        </Alert>
      ) : (
        <ConnectContractForm action={createCollectionAction} networks={networks} cancel="/dashboard/collections" />
      )}
    </>
  )
}
