'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import * as api from '@/lib/platform/api/items'
import type { ActionFailure, ActionState, BulkOutcome } from '@/lib/platform/api/form-action'
import { act, save, wrongFields } from '@/lib/platform/http/action'
import { actOnEach } from '@/lib/platform/http/bulk'
import { openedOf } from '@/lib/platform/http/changed-fields'
import { formBody } from '@/lib/platform/http/form-body'
import { getCollection } from '@/lib/catalog/collections/get-collection'
import { getItem } from '@/lib/catalog/items/get-item'
import { updateItem } from '@/lib/catalog/items/update-item'
import { handlers as web } from '@/lib/web/items'
import { openedItem } from './opened-item'
import { readItem, type ReadItem } from './read-traits'

const pathOf = (itemId: string) => `/dashboard/items/${itemId}`

export async function createItemAction(_: ActionState, form: FormData): Promise<ActionState> {
  const { body, controls, problems } = readItem(formBody(form), {})
  if (Object.keys(problems).length > 0) return wrongRows(problems)
  const done = await act(web.createItem, { form, body, controls })
  if (!done.ok) return done
  if (form.get('another'))
    redirect(`/dashboard/items/new?collection_id=${done.value.collection_id}&made=${done.value.id}`)
  redirect(pathOf(done.value.id))
}

export async function updateItemAction(itemId: string, _: ActionState, form: FormData): Promise<ActionState> {
  const before = (openedOf(form)?.attributes ?? {}) as Record<string, unknown>
  const { body, controls, problems } = readItem(formBody(form), before)
  if (Object.keys(problems).length > 0) return wrongRows(problems)
  const title = { path: ['attributes', 'title'], opened: before.title, sent: before.title }
  const keepsTitle = body.attributes.title === before.title
  const done = await save(
    {
      endpoint: api.updateItem,
      verb: (ctx, { params, body: { attributes, ...others } }) => {
        const { title, ...rest } = attributes
        return updateItem(ctx, params.item_id, { ...others, attributes: keepsTitle ? rest : { ...rest, title } })
      },
    },
    {
      params: { item_id: itemId },
      form,
      body,
      controls,
      demanded: [title],
      read: async (ctx) => {
        const item = await getItem(ctx, itemId)
        return openedItem(item, await getCollection(ctx, item.collection_id))
      },
    },
  )
  if (!done.ok) return done
  redirect(pathOf(itemId))
}

/** The failure of rows that can't be read as attributes. */
async function wrongRows(problems: ReadItem['problems']): Promise<ActionFailure> {
  const t = await getTranslations('dashboard.items.form.problems')
  return wrongFields(Object.fromEntries(Object.entries(problems).map(([at, problem]) => [at, [t(problem)]])))
}

export async function deleteItemAction(itemId: string): Promise<ActionState> {
  const done = await act(web.deleteItem, { params: { item_id: itemId } })
  if (!done.ok) return done
  redirect('/dashboard/items')
}

async function lock(form: FormData, what: { item_id: string } | { collection_id: string }): Promise<ActionState> {
  const t = await getTranslations('dashboard.items')
  const { max_supply, token_id } = formBody(form)
  const done = await act(web.lockItems, { body: { ...what, max_supply, token_id } })
  if (!done.ok) return done
  revalidatePath('/dashboard', 'layout')
  return { ok: true, message: t('lock.done', { count: done.value.lock_outputs.length }) }
}

export async function lockItemAction(itemId: string, _: ActionState, form: FormData): Promise<ActionState> {
  return lock(form, { item_id: itemId })
}

export async function lockAllAction(collectionId: string, _: ActionState, form: FormData): Promise<ActionState> {
  return lock(form, { collection_id: collectionId })
}

export async function lockManyAction(ids: string[], form: FormData): Promise<BulkOutcome> {
  const { max_supply } = formBody(form)
  const outcome = await actOnEach(ids, (item_id) => act(web.lockItems, { body: { item_id, max_supply } }))
  revalidatePath('/dashboard', 'layout')
  return outcome
}

export async function deleteManyAction(ids: string[]): Promise<BulkOutcome> {
  const outcome = await actOnEach(ids, (item_id) => act(web.deleteItem, { params: { item_id } }))
  revalidatePath('/dashboard', 'layout')
  return outcome
}
