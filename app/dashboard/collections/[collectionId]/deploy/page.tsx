import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { DeploymentForm } from '@/components/dashboard/collections/deployment-form'
import { Alert } from '@/components/ui/alert'
import { PageHeader } from '@/components/ui/page-header'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { getCollection } from '@/lib/catalog/collections/get-collection'
import { orNotFound } from '@/lib/platform/http/or-not-found'
import { listOwnNetworks } from '@/lib/offers/networks/list-own-networks'
import { deployAction } from '../../actions'
import { symbolOf } from '../../symbol-of'

export const generateMetadata = titled('dashboard.collections', 'deploy.action')

export default async function DeployPage({ params }: PageProps<'/dashboard/collections/[collectionId]/deploy'>) {
  const t = await getTranslations('dashboard.collections')
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
        title={t('deploy.title', { name: collection.name })}
        description={t('deploy.lead')}
      />
      {networks.length === 0 ? (
        <Alert tone="warning" title={t('noNetworks')}>
          {t('deploy.askOperator')}
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
