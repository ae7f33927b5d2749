'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { readSchema } from '@/components/dashboard/item-types/schema-builder'
import type { ActionState } from '@/lib/platform/api/form-action'
import { updateItemType } from '@/lib/platform/api/item-types'
import { act, save } from '@/lib/platform/http/action'
import { changeableOf } from '@/lib/platform/http/changed-fields'
import { getItemType } from '@/lib/catalog/item-types/get-item-type'
import { handlers as web } from '@/lib/web/item-types'

const path = '/dashboard/item-types'

/** Parses the schema's text. Text that isn't a JSON object stays text, so that the endpoint's validation reports it. */
const bodyOf = (form: FormData) => {
  const schema = form.get('schema')
  return { name: form.get('name'), ...(typeof schema === 'string' && { schema: readSchema(schema) ?? schema }) }
}

export async function createItemTypeAction(_: ActionState, form: FormData): Promise<ActionState> {
  const done = await act(web.createItemType, { form, body: bodyOf(form) })
  if (!done.ok) return done
  redirect(path)
}

export async function updateItemTypeAction(itemTypeId: string, _: ActionState, form: FormData): Promise<ActionState> {
  const t = await getTranslations('dashboard.itemTypes')
  const done = await save(web.updateItemType, {
    params: { item_type_id: itemTypeId },
    form,
    body: bodyOf(form),
    read: async (ctx) => changeableOf(updateItemType, await getItemType(ctx, itemTypeId)),
  })
  if (!done.ok) return done
  revalidatePath(path, 'layout')
  return { ok: true, message: t('saved'), opened: done.opened }
}

export async function deleteItemTypeAction(itemTypeId: string): Promise<ActionState> {
  const done = await act(web.deleteItemType, { params: { item_type_id: itemTypeId } })
  if (!done.ok) return done
  redirect(path)
}
