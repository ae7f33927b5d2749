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
        description="Items that belong together and share one contract. You deploy it when you are ready; until then nothing is on a chain."
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
