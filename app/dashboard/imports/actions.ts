'use server'

import { revalidatePath } from 'next/cache'
import { getTranslations } from 'next-intl/server'
import * as api from '@/lib/platform/api/imports'
import type { ActionState } from '@/lib/platform/api/form-action'
import { isUuid } from '@/lib/core/id'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { act } from '@/lib/platform/http/action'
import { cancelImport } from '@/lib/data/imports/cancel-import'
import { startImport } from '@/lib/data/imports/start-import'
import { listEditions } from './list-editions'

const pathOf = (importId: string) => `/dashboard/imports/${importId}`

/** `ignored`: the unknown columns that the page named. */
export async function startImportAction(importId: string, ignored: string[]): Promise<ActionState> {
  const done = await act(
    api.startImport,
    { params: { import_id: importId }, body: { skip_invalid: true, ignore_columns: ignored } },
    (ctx, { params, body }) => startImport(ctx, params.import_id, body),
  )
  if (!done.ok) return done
  revalidatePath(pathOf(importId))
  const t = await getTranslations('dashboard.imports.done')
  return { ok: true, message: t('started') }
}

/** The items whose units a claims file can send, of a collection or (null) of all. */
export async function listEditionsAction(collectionId: string | null): Promise<{ id: string; name: string }[]> {
  const ctx = await dashboardContext()
  return isUuid(collectionId ?? '') || collectionId === null ? listEditions(ctx, collectionId) : []
}

export async function cancelImportAction(importId: string): Promise<ActionState> {
  const done = await act(api.cancelImport, { params: { import_id: importId } }, (ctx, { params }) =>
    cancelImport(ctx, params.import_id),
  )
  if (!done.ok) return done
  revalidatePath(pathOf(importId))
  const t = await getTranslations('dashboard.imports.done')
  return { ok: true, message: t('cancelled') }
}
