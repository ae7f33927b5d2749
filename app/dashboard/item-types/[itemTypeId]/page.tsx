import type { Metadata } from 'next'
import { Copy, Trash2 } from 'lucide-react'
import { ActionForm, FormField, Submit } from '@/components/dashboard/forms/action-form'
import { ConfirmAction } from '@/components/dashboard/forms/confirm-action'
import { ItemTypeForm } from '@/components/dashboard/item-types/item-type-form'
import { ItemTypeView } from '@/components/dashboard/item-types/item-type-view'
import { Alert } from '@/components/ui/alert'
import { Button, LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Input } from '@/components/ui/input'
import { PageHeader } from '@/components/ui/page-header'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { orNotFound } from '@/lib/platform/http/or-not-found'
import { countUses } from '@/lib/catalog/item-types/count-uses'
import { getItemType } from '@/lib/catalog/item-types/get-item-type'
import { deleteItemTypeAction, updateItemTypeAction } from '../actions'

export const metadata: Metadata = { title: 'Item type' }

const path = '/dashboard/item-types'

export default async function ItemTypePage({ params }: PageProps<'/dashboard/item-types/[itemTypeId]'>) {
  const { itemTypeId } = await params
  const ctx = await dashboardContext()
  const type = await orNotFound(itemTypeId, (id) => getItemType(ctx, id))
  const mayWrite = may(ctx, 'item_types:write')
  const uses = type.in_use ? await countUses(ctx, type.id) : null
  const update = updateItemTypeAction.bind(null, type.id)
  return (
    <>
      <PageHeader
        back={{ href: path, label: 'Item types' }}
        title={type.name}
        actions={
          mayWrite && (
            <>
              <LinkButton href={`${path}/new?from=${type.id}`} icon={<Copy aria-hidden="true" className="size-4" />}>
                Duplicate it
              </LinkButton>
              {!uses && (
                <ConfirmAction
                  action={deleteItemTypeAction.bind(null, type.id)}
                  trigger={
                    <Button variant="danger" icon={<Trash2 aria-hidden="true" className="size-4" />}>
                      Delete
                    </Button>
                  }
                  title={`Delete ${type.name}`}
                  description="Nothing uses it. This can’t be undone."
                  confirm="Delete it"
                />
              )}
            </>
          )
        }
      />
      {uses && (
        <Alert title={`Used by ${countOf(uses)}: its attributes are fixed.`}>
          You can still rename it. For other attributes, duplicate it.
        </Alert>
      )}
      {mayWrite && !uses ? (
        <ItemTypeForm
          key={type.updated_at.toISOString()}
          action={update}
          name={type.name}
          schema={type.schema}
          submit="Save"
          cancel={path}
        />
      ) : (
        <>
          {mayWrite && (
            <Card title="Name">
              <ActionForm action={update} className="max-w-xl">
                <FormField name="name" label="Name" hint="Unique among your item types." required>
                  <Input name="name" defaultValue={type.name} autoComplete="off" maxLength={255} />
                </FormField>
                <div>
                  <Submit>Rename</Submit>
                </div>
              </ActionForm>
            </Card>
          )}
          <ItemTypeView schema={type.schema} />
        </>
      )}
    </>
  )
}

function countOf({ items, collections }: { items: number; collections: number }): string {
  const words = [
    items > 0 && `${items.toLocaleString('en')} ${items === 1 ? 'item' : 'items'}`,
    collections > 0 && `${collections.toLocaleString('en')} ${collections === 1 ? 'collection' : 'collections'}`,
  ]
  return words.filter(Boolean).join(' and ')
}
