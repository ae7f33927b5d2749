'use server'

import { revalidatePath } from 'next/cache'
import { getTranslations } from 'next-intl/server'
import { hideFirstSteps } from '@/lib/organizations/hide-first-steps'
import type { ActionState } from '@/lib/platform/api/form-action'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { act, attempt } from '@/lib/platform/http/action'
import { formBody } from '@/lib/platform/http/form-body'
import { handlers as collections } from '@/lib/web/collections'
import { handlers as emailClaims } from '@/lib/web/email-claims'
import { handlers as items } from '@/lib/web/items'
import { symbolOf } from './collections/symbol-of'

const path = '/dashboard'
const texts = () => getTranslations('dashboard.overview.first')

export async function firstCollectionAction(_: ActionState, form: FormData): Promise<ActionState> {
  const { name, network_id } = formBody(form)
  const platform = { symbol: symbolOf(String(name)) || 'GIFT', variant: 'ERC721' }
  const body = { name, deployment_request: { network_id, platform } }
  const done = await act(collections.createCollection, { form, body })
  if (!done.ok) return done
  revalidatePath(path)
  return { ok: true, message: (await texts())('collectionCreated') }
}

export async function firstItemAction(collectionId: string, _: ActionState, form: FormData): Promise<ActionState> {
  const body = { ...formBody(form), collection_id: collectionId }
  const made = await act(items.createItem, { form, body })
  if (!made.ok) return made
  return firstLockAction(made.value.id)
}

/** Fixes the item's contents, which sending it needs. */
export async function firstLockAction(itemId: string): Promise<ActionState> {
  const done = await act(items.lockItems, { body: { item_id: itemId } })
  revalidatePath(path)
  return done.ok ? { ok: true, message: (await texts())('itemCreated') } : done
}

export async function firstClaimAction(itemId: string, _: ActionState, form: FormData): Promise<ActionState> {
  const body = { ...formBody(form), item_id: itemId }
  const done = await act(emailClaims.createEmailClaim, { form, body })
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
