'use server'

import { revalidatePath } from 'next/cache'
import type { ActionState } from '@/lib/platform/api/form-action'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { isUuid } from '@/lib/core/id'
import { endOtherSessions, endOwnSession } from '@/lib/members/end-sessions'

const path = '/dashboard/settings/sessions'

export async function endSessionAction(id: string): Promise<ActionState> {
  if (isUuid(id)) await endOwnSession(await dashboardContext(), id)
  revalidatePath(path)
  return { ok: true, message: 'That session has ended.' }
}

export async function endOtherSessionsAction(): Promise<ActionState> {
  await endOtherSessions(await dashboardContext())
  revalidatePath(path)
  return { ok: true, message: 'You are signed in here only.' }
}
