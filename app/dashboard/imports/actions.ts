'use server'

import { revalidatePath } from 'next/cache'
import { getTranslations } from 'next-intl/server'
import type { ActionState } from '@/lib/platform/api/form-action'
import { isUuid } from '@/lib/core/id'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { act } from '@/lib/platform/http/action'
import { handlers as web } from '@/lib/web/imports'
import { listEditions } from './list-editions'

const pathOf = (importId: string) => `/dashboard/imports/${importId}`
const texts = () => getTranslations('dashboard.imports.done')

/** `ignored`: the unknown columns that the page named. */
export async function startImportAction(importId: string, ignored: string[]): Promise<ActionState> {
  const done = await act(web.startImport, {
    params: { import_id: importId },
    body: { skip_invalid: true, ignore_columns: ignored },
  })
  if (!done.ok) return done
  revalidatePath(pathOf(importId))
  return { ok: true, message: (await texts())('started') }
}

/** The items whose units a claims file can send, of a collection or (null) of all. */
export async function listEditionsAction(collectionId: string | null): Promise<{ id: string; name: string }[]> {
  const ctx = await dashboardContext()
  return isUuid(collectionId ?? '') || collectionId === null ? listEditions(ctx, collectionId) : []
}

export async function cancelImportAction(importId: string): Promise<ActionState> {
  const done = await act(web.cancelImport, { params: { import_id: importId } })
  if (!done.ok) return done
  revalidatePath(pathOf(importId))
  return { ok: true, message: (await texts())('cancelled') }
}
