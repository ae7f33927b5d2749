'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { readSchema } from '@/components/dashboard/item-types/schema-builder'
import * as api from '@/lib/platform/api/item-types'
import type { ActionState } from '@/lib/platform/api/form-action'
import { act, save } from '@/lib/platform/http/action'
import { createItemType } from '@/lib/catalog/item-types/create-item-type'
import { deleteItemType } from '@/lib/catalog/item-types/delete-item-type'
import { getItemType } from '@/lib/catalog/item-types/get-item-type'
import { updateItemType } from '@/lib/catalog/item-types/update-item-type'
import { openedItemType } from './opened-item-type'

const path = '/dashboard/item-types'

/** Parses the schema's text. Text that isn't a JSON object stays text, so that the endpoint's validation reports it. */
const bodyOf = (form: FormData) => {
  const schema = form.get('schema')
  return { name: form.get('name'), ...(typeof schema === 'string' && { schema: readSchema(schema) ?? schema }) }
}

export async function createItemTypeAction(_: ActionState, form: FormData): Promise<ActionState> {
  const done = await act(api.createItemType, { form, body: bodyOf(form) }, (ctx, { body }) => createItemType(ctx, body))
  if (!done.ok) return done
  redirect(path)
}

export async function updateItemTypeAction(itemTypeId: string, _: ActionState, form: FormData): Promise<ActionState> {
  const t = await getTranslations('dashboard.itemTypes')
  const done = await save(
    api.updateItemType,
    {
      params: { item_type_id: itemTypeId },
      form,
      body: bodyOf(form),
      read: async (ctx) => openedItemType(await getItemType(ctx, itemTypeId)),
    },
    (ctx, { params, body }) => updateItemType(ctx, params.item_type_id, body),
  )
  if (!done.ok) return done
  revalidatePath(path, 'layout')
  return { ok: true, message: t('saved'), opened: done.opened }
}

export async function deleteItemTypeAction(itemTypeId: string): Promise<ActionState> {
  const done = await act(api.deleteItemType, { params: { item_type_id: itemTypeId } }, (ctx, { params }) =>
    deleteItemType(ctx, params.item_type_id),
  )
  if (!done.ok) return done
  redirect(path)
}
