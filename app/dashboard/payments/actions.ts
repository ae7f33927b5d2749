'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import type { ActionState } from '@/lib/platform/api/form-action'
import { act } from '@/lib/platform/http/action'
import { handlers as web } from '@/lib/web/payments'

const path = '/dashboard/payments'
const texts = () => getTranslations('dashboard.payments.done')

/** Starts or continues onboarding at the card provider, and redirects there. */
export async function connectAction(mode: 'TEST' | 'LIVE'): Promise<ActionState> {
  const done = await act(web.createPaymentIntegration, { body: { mode } })
  if (!done.ok) return done
  if (done.value.onboarding_url) redirect(done.value.onboarding_url)
  revalidatePath(path)
  return { ok: true, message: (await texts())('connected') }
}

/** Creates a new link to the card provider's onboarding and redirects there. */
export async function goOnAction(integrationId: string): Promise<ActionState> {
  const done = await refresh(integrationId)
  if (!done.ok) return done
  if (done.value.onboarding_url) redirect(done.value.onboarding_url)
  revalidatePath(path)
  return { ok: true, message: (await texts())('nothingMore') }
}

export async function refreshAction(integrationId: string): Promise<ActionState> {
  const done = await refresh(integrationId)
  if (!done.ok) return done
  revalidatePath(path)
  const t = await getTranslations('dashboard.payments.done')
  return { ok: true, message: done.value.charges_enabled ? t('charges') : t('noCharges') }
}

const refresh = (integrationId: string) =>
  act(web.refreshPaymentIntegration, { params: { payment_integration_id: integrationId } })

export async function disconnectAction(integrationId: string): Promise<ActionState> {
  const done = await act(web.disconnectPaymentIntegration, { params: { payment_integration_id: integrationId } })
  if (!done.ok) return done
  revalidatePath(path)
  return { ok: true, message: (await texts())('disconnected') }
}
