import { getTranslations } from 'next-intl/server'
import { Copy, Trash2 } from 'lucide-react'
import { titled } from '@/app/language/titled'
import { ActionForm, FormField, Submit } from '@/components/dashboard/forms/action-form'
import { ConfirmAction } from '@/components/dashboard/forms/confirm-action'
import { ItemTypeForm } from '@/components/dashboard/item-types/item-type-form'
import { ItemTypeView } from '@/components/dashboard/item-types/item-type-view'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { Card } from '@/components/ui/card'
import { Input } from '@/components/ui/input'
import { PageHeader } from '@/components/ui/page-header'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { updateItemType } from '@/lib/platform/api/item-types'
import { changeableOf } from '@/lib/platform/http/changed-fields'
import { orNotFound } from '@/lib/platform/http/or-not-found'
import { countUses } from '@/lib/catalog/item-types/count-uses'
import { getItemType } from '@/lib/catalog/item-types/get-item-type'
import { deleteItemTypeAction, updateItemTypeAction } from '../actions'

export const generateMetadata = titled('dashboard.itemTypes', 'one')

const path = '/dashboard/item-types'

export default async function ItemTypePage({ params }: PageProps<'/dashboard/item-types/[itemTypeId]'>) {
  const t = await getTranslations('dashboard.itemTypes')
  const { itemTypeId } = await params
  const ctx = await dashboardContext()
  const type = await orNotFound(itemTypeId, (id) => getItemType(ctx, id))
  const mayWrite = may(ctx, 'item_types:write')
  const uses = type.in_use ? await countUses(ctx, type.id) : null
  const update = updateItemTypeAction.bind(null, type.id)
  return (
    <>
      <PageHeader
        back={{ href: path, label: t('title') }}
        title={type.name}
        actions={
          mayWrite && (
            <>
              <LinkButton href={`${path}/new?from=${type.id}`} icon={<Copy aria-hidden="true" className="size-4" />}>
                {t('duplicate')}
              </LinkButton>
              {!uses && (
                <ConfirmAction
                  action={deleteItemTypeAction.bind(null, type.id)}
                  trigger={
                    <Button variant="danger" icon={<Trash2 aria-hidden="true" className="size-4" />}>
                      {t('delete.action')}
                    </Button>
                  }
                  title={t('delete.title', { name: type.name })}
                  description={t('delete.text')}
                  confirm={t('delete.yes')}
                />
              )}
            </>
          )
        }
      />
      {uses && <Alert title={t(`used.${usedBy(uses)}`, uses)}>{t('used.renameOnly')}</Alert>}
      {mayWrite && !uses ? (
        <ItemTypeForm
          key={type.updated_at.toISOString()}
          action={update}
          name={type.name}
          schema={type.schema}
          opened={changeableOf(updateItemType, type)}
          submit={t('save')}
          cancel={path}
        />
      ) : (
        <>
          {mayWrite && (
            <Card title={t('columns.name')}>
              <ActionForm action={update} opened={changeableOf(updateItemType, type)} className="max-w-xl">
                <FormField name="name" label={t('columns.name')} hint={t('nameHint')} required>
                  <Input name="name" defaultValue={type.name} autoComplete="off" maxLength={255} />
                </FormField>
                <div>
                  <Submit>{t('rename')}</Submit>
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

function usedBy({ items, collections }: { items: number; collections: number }) {
  if (items > 0 && collections > 0) return 'both'
  return items > 0 ? 'items' : 'collections'
}
