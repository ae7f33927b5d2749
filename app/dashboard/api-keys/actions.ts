'use server'

import { revalidatePath } from 'next/cache'
import { getTranslations } from 'next-intl/server'
import * as api from '@/lib/platform/api/api-keys'
import { createApiKey } from '@/lib/records/api-keys/create-api-key'
import { revokeApiKey } from '@/lib/records/api-keys/revoke-api-key'
import type { ActionState } from '@/lib/platform/api/form-action'
import { act } from '@/lib/platform/http/action'

export async function createKey(_: ActionState, form: FormData): Promise<ActionState> {
  const done = await act(api.createApiKey, { form }, (ctx, { body }) => createApiKey(ctx, body))
  return done.ok ? { ok: true, secret: done.value.key } : done
}

export async function revokeKey(keyId: string): Promise<ActionState> {
  const done = await act(api.revokeApiKey, { params: { api_key_id: keyId } }, (ctx, { params }) =>
    revokeApiKey(ctx, params.api_key_id),
  )
  if (!done.ok) return done
  revalidatePath('/dashboard/api-keys')
  const t = await getTranslations('dashboard.apiKeys')
  return { ok: true, message: t('revoked') }
}
