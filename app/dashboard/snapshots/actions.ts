'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import * as api from '@/lib/platform/api/snapshots'
import { now } from '@/lib/core/clock'
import type { ActionState } from '@/lib/platform/api/form-action'
import { act, save } from '@/lib/platform/http/action'
import { formBody } from '@/lib/platform/http/form-body'
import { createSnapshot } from '@/lib/data/snapshots/create-snapshot'
import { getSnapshot } from '@/lib/data/snapshots/get-snapshot'
import { updateSnapshot } from '@/lib/data/snapshots/update-snapshot'

const path = '/dashboard/snapshots'

export async function createSnapshotAction(_: ActionState, form: FormData): Promise<ActionState> {
  const { when, timestamp, block_number, ...body } = formBody(form)
  const moment = when === 'now' ? now().toISOString() : when === 'time' ? timestamp : undefined
  const at = when === 'block' ? { block_number } : { timestamp: moment ?? undefined }
  const done = await act(api.createSnapshot, { form, body: { ...body, ...at } }, (ctx, input) =>
    createSnapshot(ctx, input.body),
  )
  if (!done.ok) return done
  redirect(path)
}

export async function renameSnapshotAction(snapshotId: string, _: ActionState, form: FormData): Promise<ActionState> {
  const t = await getTranslations('dashboard.snapshots')
  const done = await save(
    api.updateSnapshot,
    { params: { snapshot_id: snapshotId }, form, read: (ctx) => getSnapshot(ctx, snapshotId) },
    (ctx, { params, body }) => updateSnapshot(ctx, params.snapshot_id, body),
  )
  if (!done.ok) return done
  revalidatePath(path)
  return { ok: true, message: t('rename.done'), opened: done.opened }
}
