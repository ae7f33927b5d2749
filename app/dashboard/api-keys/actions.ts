'use server'

import { revalidatePath } from 'next/cache'
import { getTranslations } from 'next-intl/server'
import type { ActionState } from '@/lib/platform/api/form-action'
import { act } from '@/lib/platform/http/action'
import { handlers as web } from '@/lib/web/api-keys'

export async function createKey(_: ActionState, form: FormData): Promise<ActionState> {
  const done = await act(web.createApiKey, { form })
  return done.ok ? { ok: true, secret: done.value.key } : done
}

export async function revokeKey(keyId: string): Promise<ActionState> {
  const done = await act(web.revokeApiKey, { params: { api_key_id: keyId } })
  if (!done.ok) return done
  revalidatePath('/dashboard/api-keys')
  const t = await getTranslations('dashboard.apiKeys')
  return { ok: true, message: t('revoked') }
}
