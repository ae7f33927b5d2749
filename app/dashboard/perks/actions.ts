'use server'

import { revalidatePath } from 'next/cache'
import { getTranslations } from 'next-intl/server'
import type { ActionState } from '@/lib/platform/api/form-action'
import { act, save } from '@/lib/platform/http/action'
import { getPerk } from '@/lib/onchain/perks/get-perk'
import { handlers as web } from '@/lib/web/perks'

export async function deletePerkAction(perkId: string): Promise<ActionState> {
  const done = await act(web.deletePerk, { params: { perk_id: perkId } })
  if (!done.ok) return done
  revalidatePath('/dashboard', 'layout')
  const t = await getTranslations('dashboard.perks.delete')
  return { ok: true, message: t('done') }
}

export async function updatePerkAction(perkId: string, _: ActionState, form: FormData): Promise<ActionState> {
  const done = await save(web.updatePerk, { params: { perk_id: perkId }, form, read: (ctx) => getPerk(ctx, perkId) })
  if (!done.ok) return done
  revalidatePath('/dashboard', 'layout')
  const t = await getTranslations('dashboard.perks.form')
  return { ok: true, message: t('changed'), opened: done.opened }
}
