import { getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { ItemForm } from '@/components/dashboard/items/item-form'
import { Alert } from '@/components/ui/alert'
import { PageHeader } from '@/components/ui/page-header'
import { titleOf } from '@/components/ui/item-title'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { getCollection } from '@/lib/catalog/collections/get-collection'
import { orNotFound } from '@/lib/platform/http/or-not-found'
import { getItemType } from '@/lib/catalog/item-types/get-item-type'
import { getItem } from '@/lib/catalog/items/get-item'
import { updateItemAction } from '../../actions'
import { openedItem } from '../../opened-item'

export const generateMetadata = titled('dashboard.items', 'editing.title')

export default async function EditItemPage({ params }: PageProps<'/dashboard/items/[itemId]/edit'>) {
  const t = await getTranslations('dashboard.items')
  const { itemId } = await params
  const ctx = await dashboardContext()
  const item = await orNotFound(itemId, (id) => getItem(ctx, id))
  const [collection, itemType] = await Promise.all([
    getCollection(ctx, item.collection_id),
    item.item_type_id === 'default' ? null : getItemType(ctx, item.item_type_id),
  ])
  const here = `/dashboard/items/${item.id}`
  const minted = item.token_status !== 'NOT_MINTED'
  const opened = openedItem(item, collection)
  return (
    <>
      <PageHeader back={{ href: here, label: titleOf(item) }} title={t('editing.title')} />
      {minted && (
        <Alert tone={collection.editable_metadata ? 'info' : 'warning'}>
          {collection.editable_metadata ? t('editing.announced') : t('editing.fixed')}
        </Alert>
      )}
      <ItemForm
        action={updateItemAction.bind(null, item.id)}
        collections={[{ id: collection.id, name: collection.name, itemType }]}
        collectionId={collection.id}
        item={{ ...item, royalty_info: opened.royalty_info === null ? null : item.royalty_info }}
        opened={opened}
        cancel={here}
      />
    </>
  )
}
