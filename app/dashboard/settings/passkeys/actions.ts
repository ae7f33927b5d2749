'use server'

import { revalidatePath } from 'next/cache'
import { isUuid } from '@/lib/core/id'
import { removePasskey } from '@/lib/members/remove-passkey'
import type { ActionState } from '@/lib/platform/api/form-action'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { asAppError } from '@/lib/platform/http/problem'

export async function removePasskeyAction(id: string): Promise<ActionState> {
  const ctx = await dashboardContext()
  try {
    if (isUuid(id)) await removePasskey(ctx, id)
  } catch (error) {
    const { code, message } = asAppError(error)
    return { ok: false, code, message, fields: {}, others: [] }
  }
  revalidatePath('/dashboard/settings/passkeys')
  return { ok: true, message: 'The passkey is removed.' }
}
