'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import * as api from '@/lib/platform/api/collections'
import * as deploymentApi from '@/lib/platform/api/deployments'
import * as revealApi from '@/lib/platform/api/reveals'
import { createCollection } from '@/lib/catalog/collections/create-collection'
import { deleteCollection } from '@/lib/catalog/collections/delete-collection'
import { getCollection } from '@/lib/catalog/collections/get-collection'
import { requestDeployment } from '@/lib/catalog/collections/request-deployment'
import { revealCollection } from '@/lib/catalog/collections/reveal-collection'
import { updateCollection } from '@/lib/catalog/collections/update-collection'
import { readMetadataAgain } from '@/lib/catalog/items/read-metadata-again'
import type { ActionState } from '@/lib/platform/api/form-action'
import { act, save } from '@/lib/platform/http/action'
import { openedOf } from '@/lib/platform/http/changed-fields'
import { formBody } from '@/lib/platform/http/form-body'
import { openedCollection } from './opened-collection'

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
  const done = await act(api.createCollection, { form, body: bodyOf(form) }, (ctx, { body }) =>
    createCollection(ctx, body),
  )
  if (!done.ok) return done
  redirect(pathOf(done.value.id))
}

export async function updateCollectionAction(
  collectionId: string,
  _: ActionState,
  form: FormData,
): Promise<ActionState> {
  const done = await save(
    api.updateCollection,
    {
      params: { collection_id: collectionId },
      form,
      body: bodyOf(form),
      read: async (ctx) => openedCollection(await getCollection(ctx, collectionId)),
    },
    (ctx, { params, body }) => updateCollection(ctx, params.collection_id, body),
  )
  if (!done.ok) return done
  redirect(pathOf(collectionId))
}

export async function deployAction(collectionId: string, _: ActionState, form: FormData): Promise<ActionState> {
  const done = await act(
    deploymentApi.requestDeployment,
    { params: { collection_id: collectionId }, form },
    (ctx, { params, body }) => requestDeployment(ctx, params.collection_id, body),
  )
  if (!done.ok) return done
  redirect(pathOf(collectionId))
}

export async function revealAction(collectionId: string): Promise<ActionState> {
  const t = await getTranslations('dashboard.collections')
  const done = await act(revealApi.revealCollection, { params: { collection_id: collectionId } }, (ctx, { params }) =>
    revealCollection(ctx, params.collection_id),
  )
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
  const done = await act(deploymentApi.requestDeployment, given, async (ctx, { params, body }) => {
    await requestDeployment(ctx, params.collection_id, body)
    return getCollection(ctx, params.collection_id)
  })
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
  const done = await act(deploymentApi.refreshMetadata, given, (ctx, { params, body }) =>
    readMetadataAgain(ctx, params.collection_id, body),
  )
  return done.ok ? { ok: true, message: t('external.refreshed') } : done
}

export async function deleteCollectionAction(collectionId: string): Promise<ActionState> {
  const done = await act(api.deleteCollection, { params: { collection_id: collectionId } }, (ctx, { params }) =>
    deleteCollection(ctx, params.collection_id),
  )
  if (!done.ok) return done
  revalidatePath('/dashboard/collections')
  redirect('/dashboard/collections')
}
