import type { Metadata } from 'next'
import { SnapshotForm } from '@/components/dashboard/listings/snapshot-form'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHeader } from '@/components/ui/page-header'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { listCollectionChoices } from '@/lib/catalog/collections/list-collection-choices'
import { createSnapshotAction } from '../actions'

export const metadata: Metadata = { title: 'New snapshot' }

export default async function NewSnapshotPage({ searchParams }: PageProps<'/dashboard/snapshots/new'>) {
  const { collection_id } = await searchParams
  const ctx = await dashboardContext()
  const collections = await listCollectionChoices(ctx, { deployed: true })
  const [first] = collections
  return (
    <>
      <PageHeader back={{ href: '/dashboard/snapshots', label: 'Snapshots' }} title="New snapshot" />
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
            title="No deployed collections yet"
            action={<LinkButton href="/dashboard/collections">Go to collections</LinkButton>}
          >
            Deploy a collection first. Once people own items of it, a snapshot lists them.
          </EmptyState>
        </Card>
      )}
    </>
  )
}
