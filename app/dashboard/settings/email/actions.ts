'use server'

import { revalidatePath } from 'next/cache'
import { getTranslations } from 'next-intl/server'
import { getEmailIntegration } from '@/lib/messaging/email-integrations/get-email-integration'
import type { ActionState } from '@/lib/platform/api/form-action'
import { act, save } from '@/lib/platform/http/action'
import { shownOf } from '@/lib/platform/http/changed-fields'
import { formBody } from '@/lib/platform/http/form-body'
import { handlers as web } from '@/lib/web/email-integrations'

const path = '/dashboard/settings/email'
const texts = () => getTranslations('dashboard.settings.mail')

/** An empty port means the default one. */
function bodyOf(form: FormData): Record<string, unknown> {
  const { config, ...body } = formBody(form)
  return {
    ...body,
    config: { ...(form.has('config.port:number') && { port: null }), ...(config as object | undefined) },
  }
}

export async function createEmailIntegrationAction(_: ActionState, form: FormData): Promise<ActionState> {
  const done = await act(web.createEmailIntegration, { form, body: bodyOf(form) })
  if (!done.ok) return done
  revalidatePath(path)
  return { ok: true, message: (await texts())('created') }
}

export async function updateEmailIntegrationAction(
  integrationId: string,
  _: ActionState,
  form: FormData,
): Promise<ActionState> {
  const done = await save(web.updateEmailIntegration, {
    params: { integration_id: integrationId },
    form,
    body: bodyOf(form),
    read: async (ctx) => shownOf(await getEmailIntegration(ctx, integrationId), ['config']),
  })
  if (!done.ok) return done
  revalidatePath(path)
  const t = await getTranslations('dashboard.settings')
  const isTested = !done.value || done.value.status === 'ACTIVE'
  return { ok: true, message: isTested ? t('saved') : t('mail.updated'), opened: done.opened }
}

export async function activateEmailIntegrationAction(integrationId: string): Promise<ActionState> {
  const done = await act(web.activateEmailIntegration, { params: { integration_id: integrationId } })
  revalidatePath(path) // the page shows the mail server's response
  return done.ok ? { ok: true, message: (await texts())('activated') } : done
}

export async function sendTestMailAction(integrationId: string, _: ActionState, form: FormData): Promise<ActionState> {
  const done = await act(web.sendTestMail, { params: { integration_id: integrationId }, form })
  revalidatePath(path)
  return done.ok ? { ok: true, message: (await texts())('tested', { email: done.value.email }) } : done
}

export async function deleteEmailIntegrationAction(integrationId: string): Promise<ActionState> {
  const done = await act(web.deleteEmailIntegration, { params: { integration_id: integrationId } })
  if (!done.ok) return done
  revalidatePath(path)
  return { ok: true, message: (await texts())('deleted') }
}

export async function allowAgainAction(suppressionId: string): Promise<ActionState> {
  const done = await act(web.deleteSuppression, { params: { suppression_id: suppressionId } })
  if (!done.ok) return done
  revalidatePath(path)
  return { ok: true, message: (await texts())('allowed') }
}
