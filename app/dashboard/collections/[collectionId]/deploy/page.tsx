import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { DeploymentForm } from '@/components/dashboard/collections/deployment-form'
import { Alert } from '@/components/ui/alert'
import { PageHeader } from '@/components/ui/page-header'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { getCollection } from '@/lib/catalog/collections/get-collection'
import { orNotFound } from '@/lib/platform/http/or-not-found'
import { listOwnNetworks } from '@/lib/offers/networks/list-own-networks'
import { deployAction } from '../../actions'
import { symbolOf } from '../../symbol-of'

export const metadata: Metadata = { title: 'Deploy' }

export default async function DeployPage({ params }: PageProps<'/dashboard/collections/[collectionId]/deploy'>) {
  const { collectionId } = await params
  const ctx = await dashboardContext()
  const collection = await orNotFound(collectionId, (id) => getCollection(ctx, id))
  const here = `/dashboard/collections/${collection.id}`
  if (collection.deployment && collection.deployment.status !== 'FAILED') redirect(here)
  const networks = await listOwnNetworks(ctx)
  return (
    <>
      <PageHeader
        back={{ href: here, label: collection.name }}
        title={`Deploy “${collection.name}”`}
        description="Its contract is put on a chain, which takes a few seconds. Afterwards its items can be sent and minted."
      />
      {networks.length === 0 ? (
        <Alert tone="warning" title="No network is configured.">
          Whoever runs this installation sets RPC_URLS and CONTRACTS; then networks appear here.
        </Alert>
      ) : (
        <DeploymentForm
          action={deployAction.bind(null, collection.id)}
          networks={networks}
          suggestedSymbol={symbolOf(collection.name)}
        />
      )}
    </>
  )
}
