import { getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { CollectionForm } from '@/components/dashboard/collections/collection-form'
import { RevealFields } from '@/components/dashboard/collections/reveal-fields'
import { PageHeader } from '@/components/ui/page-header'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { getCollection } from '@/lib/catalog/collections/get-collection'
import { updateCollection } from '@/lib/platform/api/collections'
import { changeableOf } from '@/lib/platform/http/changed-fields'
import { orNotFound } from '@/lib/platform/http/or-not-found'
import { listItemTypeChoices } from '@/lib/catalog/item-types/list-item-type-choices'
import { listItems } from '@/lib/catalog/items/list-items'
import { updateCollectionAction } from '../../actions'

export const generateMetadata = titled('dashboard.collections', 'editTitle')

export default async function EditCollectionPage({ params }: PageProps<'/dashboard/collections/[collectionId]/edit'>) {
  const t = await getTranslations('dashboard.collections')
  const { collectionId } = await params
  const ctx = await dashboardContext()
  const [collection, itemTypes] = await Promise.all([
    orNotFound(collectionId, (id) => getCollection(ctx, id)),
    listItemTypeChoices(ctx),
  ])
  const locked = await listItems(ctx, { collection_id: collection.id, locked: 'true', attribute: [], limit: 1 })
  const deployable = collection.token_type !== 'ERC1155' && collection.deployment?.type !== 'EXTERNAL'
  const here = `/dashboard/collections/${collection.id}`
  return (
    <>
      <PageHeader back={{ href: here, label: collection.name }} title={t('editTitle')} />
      <CollectionForm
        action={updateCollectionAction.bind(null, collection.id)}
        itemTypes={itemTypes}
        collection={collection}
        opened={changeableOf(updateCollection, collection)}
        submit={t('save')}
        cancel={here}
      >
        {collection.reveal?.state !== 'REVEALED' && deployable && (
          <RevealFields
            draft={{
              strategy: collection.reveal_strategy,
              preview: collection.preview_metadata,
              fixed: locked.total_results > 0,
            }}
          />
        )}
      </CollectionForm>
    </>
  )
}
