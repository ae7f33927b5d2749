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
        description="Deploying its contract takes a few seconds. After that, its items can be sent and minted."
      />
      {networks.length === 0 ? (
        <Alert tone="warning" title="No networks are configured.">
          Ask the person who runs this installation to set RPC_URLS and CONTRACTS.
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
