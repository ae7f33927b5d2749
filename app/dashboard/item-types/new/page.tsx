import { getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { ItemTypeForm } from '@/components/dashboard/item-types/item-type-form'
import { PageHeader } from '@/components/ui/page-header'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { orNotFound } from '@/lib/platform/http/or-not-found'
import { getItemType } from '@/lib/catalog/item-types/get-item-type'
import { createItemTypeAction } from '../actions'

export const generateMetadata = titled('dashboard.itemTypes', 'new')

/** The schema of a new type: accepts any attributes. */
const EMPTY = { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', properties: {} }

export default async function NewItemTypePage({ searchParams }: PageProps<'/dashboard/item-types/new'>) {
  const t = await getTranslations('dashboard.itemTypes')
  const { from } = await searchParams
  const ctx = await dashboardContext()
  const model = typeof from === 'string' ? await orNotFound(from, (id) => getItemType(ctx, id)) : null
  return (
    <>
      <PageHeader
        back={{ href: '/dashboard/item-types', label: t('title') }}
        title={t('new')}
        description={model ? t('copyOf', { name: model.name }) : t('newLead')}
      />
      <ItemTypeForm
        action={createItemTypeAction}
        schema={model?.schema ?? EMPTY}
        submit={t('create')}
        cancel="/dashboard/item-types"
      />
    </>
  )
}
