'use server'

import { revalidatePath } from 'next/cache'
import * as api from '@/lib/platform/api/imports'
import type { ActionState } from '@/lib/platform/api/form-action'
import { act } from '@/lib/platform/http/action'
import { cancelImport } from '@/lib/data/imports/cancel-import'
import { startImport } from '@/lib/data/imports/start-import'

const pathOf = (importId: string) => `/dashboard/imports/${importId}`

export async function startImportAction(importId: string): Promise<ActionState> {
  const done = await act(
    api.startImport,
    { params: { import_id: importId }, body: { skip_invalid: true } },
    (ctx, { params, body }) => startImport(ctx, params.import_id, body),
  )
  if (!done.ok) return done
  revalidatePath(pathOf(importId))
  return { ok: true, message: 'The import has started. You can leave this page.' }
}

export async function cancelImportAction(importId: string): Promise<ActionState> {
  const done = await act(api.cancelImport, { params: { import_id: importId } }, (ctx, { params }) =>
    cancelImport(ctx, params.import_id),
  )
  if (!done.ok) return done
  revalidatePath(pathOf(importId))
  return { ok: true, message: 'The import is cancelled.' }
}
