import { getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { SnapshotForm } from '@/components/dashboard/listings/snapshot-form'
import { LinkButton } from '@/components/ui/link-button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHeader } from '@/components/ui/page-header'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { listCollectionChoices } from '@/lib/catalog/collections/list-collection-choices'
import { createSnapshotAction } from '../actions'

export const generateMetadata = titled('dashboard.snapshots', 'new')

export default async function NewSnapshotPage({ searchParams }: PageProps<'/dashboard/snapshots/new'>) {
  const t = await getTranslations('dashboard.snapshots')
  const { collection_id } = await searchParams
  const ctx = await dashboardContext()
  const collections = await listCollectionChoices(ctx, { deployed: true })
  const [first] = collections
  return (
    <>
      <PageHeader back={{ href: '/dashboard/snapshots', label: t('title') }} title={t('new')} />
      {first ? (
        <SnapshotForm
          action={createSnapshotAction}
          collections={collections.map(({ id, name }) => ({ id, name }))}
          collectionId={typeof collection_id === 'string' ? collection_id : first.id}
          cancel="/dashboard/snapshots"
        />
      ) : (
        <Card>
          <EmptyState
            title={t('noCollections.title')}
            action={<LinkButton href="/dashboard/collections">{t('noCollections.toCollections')}</LinkButton>}
          >
            {t('noCollections.text')}
          </EmptyState>
        </Card>
      )}
    </>
  )
}
