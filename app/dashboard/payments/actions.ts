'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import * as api from '@/lib/platform/api/payments'
import type { ActionState } from '@/lib/platform/api/form-action'
import { act } from '@/lib/platform/http/action'
import { createIntegration } from '@/lib/selling/payments/create-integration'
import { removeIntegration } from '@/lib/selling/payments/disconnect-integration'
import { refreshIntegration } from '@/lib/selling/payments/refresh-integration'

const path = '/dashboard/payments'

/** Starts or continues onboarding at the card provider, and redirects there. */
export async function connectAction(mode: 'TEST' | 'LIVE'): Promise<ActionState> {
  const done = await act(api.createPaymentIntegration, { body: { mode } }, (ctx, { body }) =>
    createIntegration(ctx, body),
  )
  if (!done.ok) return done
  if (done.value.onboarding_url) redirect(done.value.onboarding_url)
  revalidatePath(path)
  const t = await getTranslations('dashboard.payments.done')
  return { ok: true, message: t('connected') }
}

/** Creates a new link to the card provider's onboarding and redirects there. */
export async function goOnAction(integrationId: string): Promise<ActionState> {
  const done = await refresh(integrationId)
  if (!done.ok) return done
  if (done.value.onboarding_url) redirect(done.value.onboarding_url)
  revalidatePath(path)
  const t = await getTranslations('dashboard.payments.done')
  return { ok: true, message: t('nothingMore') }
}

export async function refreshAction(integrationId: string): Promise<ActionState> {
  const done = await refresh(integrationId)
  if (!done.ok) return done
  revalidatePath(path)
  const t = await getTranslations('dashboard.payments.done')
  return { ok: true, message: done.value.charges_enabled ? t('charges') : t('noCharges') }
}

const refresh = (integrationId: string) =>
  act(api.refreshPaymentIntegration, { params: { payment_integration_id: integrationId } }, (ctx, { params }) =>
    refreshIntegration(ctx, params.payment_integration_id),
  )

export async function disconnectAction(integrationId: string): Promise<ActionState> {
  const done = await act(
    api.disconnectPaymentIntegration,
    { params: { payment_integration_id: integrationId } },
    (ctx, { params }) => removeIntegration(ctx, params.payment_integration_id),
  )
  if (!done.ok) return done
  revalidatePath(path)
  const t = await getTranslations('dashboard.payments.done')
  return { ok: true, message: t('disconnected') }
}
