'use server'

import { revalidatePath } from 'next/cache'
import { getTranslations } from 'next-intl/server'
import { newView, viewName } from '@/lib/platform/api/saved-views'
import type { ActionState } from '@/lib/platform/api/form-action'
import type { Context } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { isUuid } from '@/lib/core/id'
import { attempt } from '@/lib/platform/http/action'
import { openedOf } from '@/lib/platform/http/changed-fields'
import { countRequest } from '@/lib/platform/http/rate-limit'
import { parseForm } from '@/lib/platform/http/parse-form'
import { notFound } from '@/lib/core/errors'
import { deleteView } from '@/lib/members/saved-views/delete-view'
import { renameView } from '@/lib/members/saved-views/rename-view'
import { saveView } from '@/lib/members/saved-views/save-view'

async function change(
  form: FormData,
  work: (ctx: Context) => Promise<unknown>,
  message: 'saved' | 'renamed' | 'deleted',
): Promise<ActionState> {
  const ctx = await dashboardContext()
  const done = await attempt(form, async () => {
    await countRequest('admin', 'id' in ctx.actor ? ctx.actor.id : ctx.clientAddress)
    await work(ctx)
  })
  if (!done.ok) return done
  revalidatePath('/dashboard', 'layout')
  const t = await getTranslations('dashboard.common.views')
  return { ok: true, message: t(message) }
}

const known = (id: string): string => {
  if (!isUuid(id)) throw notFound()
  return id
}

export async function saveViewAction(_: ActionState, form: FormData): Promise<ActionState> {
  return change(form, (ctx) => saveView(ctx, parseForm(newView, form), openedOf(form) ?? {}), 'saved')
}

export async function renameViewAction(id: string, _: ActionState, form: FormData): Promise<ActionState> {
  return change(form, (ctx) => renameView(ctx, known(id), parseForm(viewName, form), openedOf(form) ?? {}), 'renamed')
}

export async function deleteViewAction(id: string): Promise<ActionState> {
  return change(new FormData(), (ctx) => deleteView(ctx, known(id)), 'deleted')
}
