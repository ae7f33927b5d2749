'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import * as api from '@/lib/api/collections'
import { createCollection } from '@/lib/collections/create-collection'
import { deleteCollection } from '@/lib/collections/delete-collection'
import { requestDeployment } from '@/lib/collections/request-deployment'
import { updateCollection } from '@/lib/collections/update-collection'
import { act, type ActionState } from '@/lib/http/action'

const pathOf = (collectionId: string) => `/dashboard/collections/${collectionId}`

export async function createCollectionAction(_: ActionState, form: FormData): Promise<ActionState> {
  const done = await act(api.createCollection, { form }, (ctx, { body }) => createCollection(ctx, body))
  if (!done.ok) return done
  redirect(pathOf(done.value.id))
}

export async function updateCollectionAction(collectionId: string, _: ActionState, form: FormData): Promise<ActionState> {
  const cleared = form.get('royalty_info.receiver') === '' && form.get('royalty_info.amount_bps:number') === ''
  if (cleared) form.set('royalty_info:null', '')
  const done = await act(api.updateCollection, { params: { collection_id: collectionId }, form }, (ctx, { params, body }) =>
    updateCollection(ctx, params.collection_id, body),
  )
  if (!done.ok) return done
  redirect(pathOf(collectionId))
}

export async function deployAction(collectionId: string, _: ActionState, form: FormData): Promise<ActionState> {
  const done = await act(api.requestDeployment, { params: { collection_id: collectionId }, form }, (ctx, { params, body }) =>
    requestDeployment(ctx, params.collection_id, body),
  )
  if (!done.ok) return done
  redirect(pathOf(collectionId))
}

export async function deleteCollectionAction(collectionId: string): Promise<ActionState> {
  const done = await act(api.deleteCollection, { params: { collection_id: collectionId } }, (ctx, { params }) => deleteCollection(ctx, params.collection_id))
  if (!done.ok) return done
  revalidatePath('/dashboard/collections')
  redirect('/dashboard/collections')
}
