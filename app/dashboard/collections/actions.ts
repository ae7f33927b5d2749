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
import { act } from '@/lib/platform/http/action'

const pathOf = (collectionId: string) => `/dashboard/collections/${collectionId}`

export async function createCollectionAction(_: ActionState, form: FormData): Promise<ActionState> {
  const done = await act(api.createCollection, { form }, (ctx, { body }) => createCollection(ctx, body))
  if (!done.ok) return done
  redirect(pathOf(done.value.id))
}

export async function updateCollectionAction(
  collectionId: string,
  _: ActionState,
  form: FormData,
): Promise<ActionState> {
  const cleared = form.get('royalty_info.receiver') === '' && form.get('royalty_info.amount_bps:number') === ''
  if (cleared) form.set('royalty_info:null', '')
  const done = await act(
    api.updateCollection,
    { params: { collection_id: collectionId }, form },
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
