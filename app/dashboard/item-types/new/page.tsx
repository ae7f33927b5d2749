import type { Metadata } from 'next'
import { ItemTypeForm } from '@/components/dashboard/item-types/item-type-form'
import { PageHeader } from '@/components/ui/page-header'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { orNotFound } from '@/lib/platform/http/or-not-found'
import { getItemType } from '@/lib/catalog/item-types/get-item-type'
import { createItemTypeAction } from '../actions'

export const metadata: Metadata = { title: 'New item type' }

/** The schema of a new type: accepts any attributes. */
const EMPTY = { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', properties: {} }

export default async function NewItemTypePage({ searchParams }: PageProps<'/dashboard/item-types/new'>) {
  const { from } = await searchParams
  const ctx = await dashboardContext()
  const model = typeof from === 'string' ? await orNotFound(from, (id) => getItemType(ctx, id)) : null
  return (
    <>
      <PageHeader
        back={{ href: '/dashboard/item-types', label: 'Item types' }}
        title="New item type"
        description={
          model
            ? `A copy of “${model.name}” to start from.`
            : 'Once an item or a collection uses it, its attributes can’t be changed.'
        }
      />
      <ItemTypeForm
        action={createItemTypeAction}
        schema={model?.schema ?? EMPTY}
        submit="Create the item type"
        cancel="/dashboard/item-types"
      />
    </>
  )
}
