'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { now } from '@/lib/core/clock'
import type { ActionState } from '@/lib/platform/api/form-action'
import { act, save } from '@/lib/platform/http/action'
import { formBody } from '@/lib/platform/http/form-body'
import { getSnapshot } from '@/lib/data/snapshots/get-snapshot'
import { handlers as web } from '@/lib/web/snapshots'

const path = '/dashboard/snapshots'

export async function createSnapshotAction(_: ActionState, form: FormData): Promise<ActionState> {
  const { when, timestamp, block_number, ...body } = formBody(form)
  const moment = when === 'now' ? now().toISOString() : when === 'time' ? timestamp : undefined
  const at = when === 'block' ? { block_number } : { timestamp: moment ?? undefined }
  const done = await act(web.createSnapshot, { form, body: { ...body, ...at } })
  if (!done.ok) return done
  redirect(path)
}

export async function renameSnapshotAction(snapshotId: string, _: ActionState, form: FormData): Promise<ActionState> {
  const t = await getTranslations('dashboard.snapshots')
  const done = await save(web.updateSnapshot, {
    params: { snapshot_id: snapshotId },
    form,
    read: (ctx) => getSnapshot(ctx, snapshotId),
  })
  if (!done.ok) return done
  revalidatePath(path)
  return { ok: true, message: t('rename.done'), opened: done.opened }
}
