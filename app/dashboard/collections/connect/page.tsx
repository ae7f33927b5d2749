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
        description="Add a contract that is already deployed. Its tokens appear here as items, with owners and history. Minting works only if the contract allows it."
      />
      {networks.length === 0 ? (
        <Alert tone="warning" title="No networks are configured.">
          Ask the person who runs this installation to set RPC_URLS.
        </Alert>
      ) : (
        <ConnectContractForm action={createCollectionAction} networks={networks} cancel="/dashboard/collections" />
      )}
    </>
  )
}
