'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { HOUR, now, secondsFrom } from '@/lib/core/clock'
import type { ActionState } from '@/lib/platform/api/form-action'
import { act, save } from '@/lib/platform/http/action'
import { formBody } from '@/lib/platform/http/form-body'
import { getWebhook } from '@/lib/messaging/webhooks/get-webhook'
import { handlers as web } from '@/lib/web/webhooks'
import { openedWebhook } from './opened-webhook'

const path = '/dashboard/webhooks'

/** All events, or those that are checked. None checked is an error, and doesn't mean all. */
function bodyOf(form: FormData): Record<string, unknown> {
  const { which, events, ...body } = formBody(form)
  const ticked = which === 'some' ? (events as string[]).toSorted() : []
  return { ...body, events: which === 'some' && ticked.length === 0 ? null : ticked }
}

export async function createWebhookAction(_: ActionState, form: FormData): Promise<ActionState> {
  const body = bodyOf(form)
  if (body.events === null) return await nothingTicked()
  const done = await act(web.createWebhook, { form, body })
  return done.ok ? { ok: true, secret: done.value.secret } : done
}

export async function updateWebhookAction(webhookId: string, _: ActionState, form: FormData): Promise<ActionState> {
  const body = bodyOf(form)
  if (body.events === null) return await nothingTicked()
  const done = await save(web.updateWebhook, {
    params: { webhook_id: webhookId },
    form,
    body,
    read: async (ctx) => openedWebhook(await getWebhook(ctx, webhookId)),
  })
  if (!done.ok) return done
  redirect(`${path}/${webhookId}`)
}

async function nothingTicked(): Promise<ActionState> {
  const t = await getTranslations('dashboard.webhooks.done')
  return { ok: false, code: 'invalid_request', message: t('look'), fields: { events: [t('tick')] }, others: [] }
}

export async function turnWebhookAction(webhookId: string, status: 'ENABLED' | 'DISABLED'): Promise<ActionState> {
  const done = await act(web.updateWebhook, { params: { webhook_id: webhookId }, body: { status } })
  if (!done.ok) return done
  revalidatePath(path, 'layout')
  const t = await getTranslations('dashboard.webhooks.done')
  return { ok: true, message: status === 'ENABLED' ? t('enabled') : t('disabled') }
}

export async function deleteWebhookAction(webhookId: string): Promise<ActionState> {
  const done = await act(web.deleteWebhook, { params: { webhook_id: webhookId } })
  if (!done.ok) return done
  redirect(path)
}

export async function rotateSecretAction(webhookId: string): Promise<ActionState> {
  const done = await act(web.rotateWebhookSecret, { params: { webhook_id: webhookId } })
  return done.ok ? { ok: true, secret: done.value.secret } : done
}

export async function testWebhookAction(webhookId: string): Promise<ActionState> {
  const done = await act(web.testWebhook, { params: { webhook_id: webhookId } })
  if (!done.ok) return done
  revalidatePath(`${path}/${webhookId}`)
  const t = await getTranslations('dashboard.webhooks.done')
  return { ok: true, message: t('tested') }
}

export async function replayDeliveryAction(webhookId: string, deliveryId: string): Promise<ActionState> {
  const done = await act(web.replayWebhookDelivery, { params: { webhook_delivery_id: deliveryId } })
  if (!done.ok) return done
  revalidatePath(`${path}/${webhookId}`)
  const t = await getTranslations('dashboard.webhooks.done')
  return { ok: true, message: done.value.replay_of ? t('sentAgain') : t('triedNow') }
}

export async function replaySinceAction(webhookId: string, _: ActionState, form: FormData): Promise<ActionState> {
  const { hours, only_failed } = formBody(form)
  const since = secondsFrom(now(), -Number(hours) * HOUR).toISOString()
  const done = await act(web.replayWebhook, { params: { webhook_id: webhookId }, body: { since, only_failed } })
  if (!done.ok) return done
  revalidatePath(`${path}/${webhookId}`)
  const { replayed, has_more } = done.value
  const t = await getTranslations('dashboard.webhooks.done')
  if (replayed === 0) return { ok: true, message: t('nothing') }
  return { ok: true, message: t(has_more ? 'replayedSome' : 'replayed', { count: replayed }) }
}
