'use server'

import { revalidatePath } from 'next/cache'
import { getTranslations } from 'next-intl/server'
import { isUuid } from '@/lib/core/id'
import { removePasskey } from '@/lib/members/remove-passkey'
import type { ActionState } from '@/lib/platform/api/form-action'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { attempt } from '@/lib/platform/http/action'

export async function removePasskeyAction(id: string): Promise<ActionState> {
  const ctx = await dashboardContext()
  if (isUuid(id)) {
    const done = await attempt(undefined, () => removePasskey(ctx, id))
    if (!done.ok) return done
  }
  revalidatePath('/dashboard/settings/passkeys')
  const t = await getTranslations('dashboard.passkeys')
  return { ok: true, message: t('removed') }
}
