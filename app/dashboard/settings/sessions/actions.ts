'use server'

import { revalidatePath } from 'next/cache'
import { getTranslations } from 'next-intl/server'
import type { ActionState } from '@/lib/platform/api/form-action'
import type { Context } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { isUuid } from '@/lib/core/id'
import { attempt } from '@/lib/platform/http/action'
import { endOtherSessions, endOwnSession } from '@/lib/members/end-sessions'

async function end(which: (ctx: Context) => Promise<void>, message: 'ended' | 'onlyHere'): Promise<ActionState> {
  const ctx = await dashboardContext()
  const done = await attempt(undefined, () => which(ctx))
  if (!done.ok) return done
  revalidatePath('/dashboard/settings/sessions')
  const t = await getTranslations('dashboard.settings.sessions')
  return { ok: true, message: t(message) }
}

export async function endSessionAction(id: string): Promise<ActionState> {
  const endIt = async (ctx: Context) => (isUuid(id) ? endOwnSession(ctx, id) : undefined)
  return end(endIt, 'ended')
}

export async function endOtherSessionsAction(): Promise<ActionState> {
  return end(endOtherSessions, 'onlyHere')
}
