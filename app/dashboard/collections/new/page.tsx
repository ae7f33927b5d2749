import type { Metadata } from 'next'
import { CollectionForm } from '@/components/dashboard/collections/collection-form'
import { RevealFields } from '@/components/dashboard/collections/reveal-fields'
import { PageHeader } from '@/components/ui/page-header'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { listItemTypeChoices } from '@/lib/catalog/item-types/list-item-type-choices'
import { createCollectionAction } from '../actions'

export const metadata: Metadata = { title: 'New collection' }

export default async function NewCollectionPage() {
  const itemTypes = await listItemTypeChoices(await dashboardContext())
  return (
    <>
      <PageHeader
        back={{ href: '/dashboard/collections', label: 'Collections' }}
        title="New collection"
        description="A group of items that share one contract. Nothing is on a blockchain until you deploy it."
      />
      <CollectionForm
        action={createCollectionAction}
        itemTypes={itemTypes}
        submit="Create the collection"
        cancel="/dashboard/collections"
      >
        <RevealFields />
      </CollectionForm>
    </>
  )
}
