'use server'

import { revalidatePath } from 'next/cache'
import { getTranslations } from 'next-intl/server'
import * as claims from '@/lib/platform/api/email-claims'
import * as collections from '@/lib/platform/api/collections'
import * as items from '@/lib/platform/api/items'
import { createCollection } from '@/lib/catalog/collections/create-collection'
import { createItem } from '@/lib/catalog/items/create-item'
import { lockItems } from '@/lib/catalog/items/lock-items'
import { createClaim } from '@/lib/giving/create-claim'
import { hideFirstSteps } from '@/lib/organizations/hide-first-steps'
import type { ActionState } from '@/lib/platform/api/form-action'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { act, attempt } from '@/lib/platform/http/action'
import { formBody } from '@/lib/platform/http/form-body'
import { symbolOf } from './collections/symbol-of'

const path = '/dashboard'
const texts = () => getTranslations('dashboard.overview.first')

export async function firstCollectionAction(_: ActionState, form: FormData): Promise<ActionState> {
  const { name, network_id } = formBody(form)
  const platform = { symbol: symbolOf(String(name)) || 'GIFT', variant: 'ERC721' }
  const body = { name, deployment_request: { network_id, platform } }
  const done = await act(collections.createCollection, { form, body }, (ctx, input) =>
    createCollection(ctx, input.body),
  )
  if (!done.ok) return done
  revalidatePath(path)
  return { ok: true, message: (await texts())('collectionCreated') }
}

export async function firstItemAction(collectionId: string, _: ActionState, form: FormData): Promise<ActionState> {
  const body = { ...formBody(form), collection_id: collectionId }
  const made = await act(items.createItem, { form, body }, (ctx, input) => createItem(ctx, input.body))
  if (!made.ok) return made
  return firstLockAction(made.value.id)
}

/** Fixes the item's contents, which sending it needs. */
export async function firstLockAction(itemId: string): Promise<ActionState> {
  const done = await act(items.lockItems, { body: { item_id: itemId } }, (ctx, { body }) => lockItems(ctx, body))
  revalidatePath(path)
  return done.ok ? { ok: true, message: (await texts())('itemCreated') } : done
}

export async function firstClaimAction(itemId: string, _: ActionState, form: FormData): Promise<ActionState> {
  const body = { ...formBody(form), item_id: itemId }
  const done = await act(claims.createEmailClaim, { form, body }, (ctx, input) => createClaim(ctx, input.body))
  if (!done.ok) return done
  revalidatePath(path)
  return { ok: true, message: (await texts())('onItsWay', { email: done.value.email }) }
}

export async function hideFirstStepsAction(): Promise<ActionState> {
  const ctx = await dashboardContext()
  const done = await attempt(undefined, () => hideFirstSteps(ctx))
  if (!done.ok) return done
  revalidatePath(path)
  return { ok: true }
}
