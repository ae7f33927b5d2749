import type { Metadata } from 'next'
import { CollectionForm } from '@/components/dashboard/collection-form'
import { PageHeader } from '@/components/ui/page-header'
import { dashboardContext } from '@/lib/auth/dashboard'
import { getCollection } from '@/lib/collections/get-collection'
import { orNotFound } from '@/lib/http/or-not-found'
import { listItemTypes } from '@/lib/item-types/list-item-types'
import { updateCollectionAction } from '../../actions'

export const metadata: Metadata = { title: 'Edit collection' }

export default async function EditCollectionPage({ params }: PageProps<'/dashboard/collections/[collectionId]/edit'>) {
  const { collectionId } = await params
  const ctx = await dashboardContext()
  const [collection, itemTypes] = await Promise.all([orNotFound(collectionId, (id) => getCollection(ctx, id)), listItemTypes(ctx, { limit: 100 })])
  const here = `/dashboard/collections/${collection.id}`
  return (
    <>
      <PageHeader back={{ href: here, label: collection.name }} title="Edit collection" />
      <CollectionForm
        action={updateCollectionAction.bind(null, collection.id)}
        itemTypes={itemTypes.results}
        collection={collection}
        submit="Save"
        cancel={here}
      />
    </>
  )
}
