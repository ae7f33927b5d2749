import { getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { CollectionForm } from '@/components/dashboard/collections/collection-form'
import { RevealFields } from '@/components/dashboard/collections/reveal-fields'
import { PageHeader } from '@/components/ui/page-header'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { listItemTypeChoices } from '@/lib/catalog/item-types/list-item-type-choices'
import { createCollectionAction } from '../actions'

export const generateMetadata = titled('dashboard.collections', 'new')

export default async function NewCollectionPage() {
  const t = await getTranslations('dashboard.collections')
  const itemTypes = await listItemTypeChoices(await dashboardContext())
  return (
    <>
      <PageHeader
        back={{ href: '/dashboard/collections', label: t('title') }}
        title={t('new')}
        description={t('newLead')}
      />
      <CollectionForm
        action={createCollectionAction}
        itemTypes={itemTypes}
        submit={t('create')}
        cancel="/dashboard/collections"
      >
        <RevealFields />
      </CollectionForm>
    </>
  )
}
