'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { updateCollection } from '@/lib/platform/api/collections'
import * as deploymentApi from '@/lib/platform/api/deployments'
import { getCollection } from '@/lib/catalog/collections/get-collection'
import { requestDeployment } from '@/lib/catalog/collections/request-deployment'
import type { ActionState } from '@/lib/platform/api/form-action'
import { act, save } from '@/lib/platform/http/action'
import { changeableOf, openedOf } from '@/lib/platform/http/changed-fields'
import { formBody } from '@/lib/platform/http/form-body'
import { handlers as collections } from '@/lib/web/collections'
import { handlers as deployments } from '@/lib/web/deployments'
import { handlers as reveals } from '@/lib/web/reveals'

const pathOf = (collectionId: string) => `/dashboard/collections/${collectionId}`
const PREVIEW_CONTROLS = ['title', 'description', 'image_url']

/** The attributes shown until the reveal that have no control stay. */
function bodyOf(form: FormData): Record<string, unknown> {
  const { preview_metadata: typed, ...body } = formBody(form)
  if (typeof typed !== 'object') return body
  const before = Object.entries((openedOf(form)?.preview_metadata ?? {}) as Record<string, unknown>)
  const kept = before.filter(([name]) => !PREVIEW_CONTROLS.includes(name))
  const given = Object.entries(typed ?? {}).filter(([, value]) => value !== null)
  const preview = Object.fromEntries([...given, ...kept])
  return { ...body, preview_metadata: Object.keys(preview).length > 0 ? preview : null }
}

export async function createCollectionAction(_: ActionState, form: FormData): Promise<ActionState> {
  const done = await act(collections.createCollection, { form, body: bodyOf(form) })
  if (!done.ok) return done
  redirect(pathOf(done.value.id))
}

export async function updateCollectionAction(
  collectionId: string,
  _: ActionState,
  form: FormData,
): Promise<ActionState> {
  const done = await save(collections.updateCollection, {
    params: { collection_id: collectionId },
    form,
    body: bodyOf(form),
    read: async (ctx) => changeableOf(updateCollection, await getCollection(ctx, collectionId)),
  })
  if (!done.ok) return done
  redirect(pathOf(collectionId))
}

export async function deployAction(collectionId: string, _: ActionState, form: FormData): Promise<ActionState> {
  const done = await act(deployments.requestDeployment, { params: { collection_id: collectionId }, form })
  if (!done.ok) return done
  redirect(pathOf(collectionId))
}

export async function revealAction(collectionId: string): Promise<ActionState> {
  const t = await getTranslations('dashboard.collections')
  const done = await act(reveals.revealCollection, { params: { collection_id: collectionId } })
  if (!done.ok) return done
  revalidatePath(pathOf(collectionId))
  return { ok: true, message: t('reveal.done') }
}

type Contract = { network_id: number; address: string; token_type: string }

export async function askContractAction(
  collectionId: string,
  { network_id, address, token_type }: Contract,
): Promise<ActionState> {
  const t = await getTranslations('dashboard.collections')
  const given = {
    params: { collection_id: collectionId },
    body: { network_id, type: 'EXTERNAL', external: { address, token_type } },
  }
  const done = await act(
    {
      endpoint: deploymentApi.requestDeployment,
      verb: async (ctx, { params, body }) => {
        await requestDeployment(ctx, params.collection_id, body)
        return getCollection(ctx, params.collection_id)
      },
    },
    given,
  )
  if (!done.ok) return done
  revalidatePath(pathOf(collectionId))
  return {
    ok: true,
    message: done.value.capabilities.includes('ADMIN_MINT_SINGLE') ? t('external.letsUs') : t('external.doesNot'),
  }
}

export async function refreshMetadataAction(collectionId: string): Promise<ActionState> {
  const t = await getTranslations('dashboard.collections')
  const given = { params: { collection_id: collectionId }, body: {} }
  const done = await act(deployments.refreshMetadata, given)
  return done.ok ? { ok: true, message: t('external.refreshed') } : done
}

export async function deleteCollectionAction(collectionId: string): Promise<ActionState> {
  const done = await act(collections.deleteCollection, { params: { collection_id: collectionId } })
  if (!done.ok) return done
  revalidatePath('/dashboard/collections')
  redirect('/dashboard/collections')
}
