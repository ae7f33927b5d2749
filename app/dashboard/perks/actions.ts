'use server'

import { revalidatePath } from 'next/cache'
import { getTranslations } from 'next-intl/server'
import * as api from '@/lib/platform/api/perks'
import type { ActionState } from '@/lib/platform/api/form-action'
import { act, save } from '@/lib/platform/http/action'
import { deletePerk } from '@/lib/onchain/perks/delete-perk'
import { getPerk } from '@/lib/onchain/perks/get-perk'
import { updatePerk } from '@/lib/onchain/perks/update-perk'

export async function deletePerkAction(perkId: string): Promise<ActionState> {
  const done = await act(api.deletePerk, { params: { perk_id: perkId } }, (ctx, { params }) =>
    deletePerk(ctx, params.perk_id),
  )
  if (!done.ok) return done
  revalidatePath('/dashboard', 'layout')
  const t = await getTranslations('dashboard.perks.delete')
  return { ok: true, message: t('done') }
}

export async function updatePerkAction(perkId: string, _: ActionState, form: FormData): Promise<ActionState> {
  const done = await save(
    api.updatePerk,
    { params: { perk_id: perkId }, form, read: (ctx) => getPerk(ctx, perkId) },
    (ctx, { params, body }) => updatePerk(ctx, params.perk_id, body),
  )
  if (!done.ok) return done
  revalidatePath('/dashboard', 'layout')
  const t = await getTranslations('dashboard.perks.form')
  return { ok: true, message: t('changed'), opened: done.opened }
}
