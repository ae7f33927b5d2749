'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { templatePath, type TemplateScope } from '@/components/dashboard/campaigns/template-paths'
import type { Preview } from '@/components/dashboard/campaigns/template-preview'
import * as templates from '@/lib/platform/api/email-templates'
import { withLineFeeds } from '@/lib/core/line-feeds'
import { localeGiven } from '@/lib/core/locale-given'
import { getCampaign } from '@/lib/messaging/campaigns/get-campaign'
import { defaultSenderOf, senderFactsOf } from '@/lib/messaging/campaigns/show-campaign'
import type { ActionFailure, ActionState, Opened } from '@/lib/platform/api/form-action'
import type { Context } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { act, save } from '@/lib/platform/http/action'
import { formBody } from '@/lib/platform/http/form-body'
import { codeOf } from '@/lib/messaging/templates/draft-of'
import { getTemplate } from '@/lib/messaging/templates/get-template'
import { handlers as campaigns } from '@/lib/web/campaigns'
import { handlers as emailTemplates } from '@/lib/web/email-templates'
import { openedCampaign } from './opened-campaign'
import { openedTemplate } from './opened-template'

const path = '/dashboard/campaigns'

export async function createCampaignAction(_: ActionState, form: FormData): Promise<ActionState> {
  const done = await act(campaigns.createCampaign, { form })
  if (!done.ok) return done
  redirect(`${path}/${done.value.id}`)
}

export async function updateCampaignAction(campaignId: string, _: ActionState, form: FormData): Promise<ActionState> {
  const done = await save(campaigns.updateCampaign, {
    params: { campaign_id: campaignId },
    form,
    read: async (ctx) => openedCampaign(await getCampaign(ctx, campaignId), defaultSenderOf(await senderFactsOf(ctx))),
  })
  if (!done.ok) return done
  revalidatePath(`${path}/${campaignId}`)
  const t = await getTranslations('dashboard.campaigns.done')
  return { ok: true, message: t('saved'), opened: done.opened }
}

export async function deleteCampaignAction(campaignId: string): Promise<ActionState> {
  const done = await act(campaigns.deleteCampaign, { params: { campaign_id: campaignId } })
  if (!done.ok) return done
  redirect(path)
}

const written = (form: FormData, name: string) => withLineFeeds(String(form.get(name) ?? ''))

/**
 * Doesn't trim templates, so that the line numbers of errors match the text. A mail is what somebody saw in the
 * preview, so a template is saved as a whole. `earlier`: the page shows an earlier version.
 */
export async function saveTemplateAction(
  type: templates.EditableType,
  scope: TemplateScope,
  earlier: boolean,
  _: ActionState,
  form: FormData,
): Promise<ActionState> {
  const { blocks } = formBody(form)
  const subject = written(form, 'subject')
  const body = blocks
    ? { subject, blocks }
    : { subject, text: written(form, 'text'), format: written(form, 'format'), body: written(form, 'body') }
  const read = async (ctx: Context) => openedTemplate(await getTemplate(ctx, type, scope))
  const params = { template_type: type }
  const done = await save(emailTemplates.saveTemplate, { params, query: scope, form, body, read, isWhole: true })
  if (!done.ok && done.opened) return await savedMeanwhile(await read(await dashboardContext()))
  if (!done.ok) return blocks && done.code === 'template_invalid' ? await ofBlocks(done) : done
  if (!done.value) return { ok: true, opened: done.opened }
  const version = done.value.version ?? 0
  revalidatePath(templatePath(type, { campaign_id: scope.campaign_id }))
  if (earlier) redirect(templatePath(type, scope, { saved: String(version) }))
  const t = await getTranslations('dashboard.campaigns.templates')
  return { ok: true, message: t('saved', { version }), opened: openedTemplate(done.value) }
}

/** `theirs`: what somebody else saved, which the editor shows whole. */
async function savedMeanwhile(theirs: Opened): Promise<ActionFailure> {
  const t = await getTranslations('dashboard.campaigns.done')
  return { ok: false, code: 'precondition_failed', message: t('meanwhile'), fields: {}, others: [], opened: theirs }
}

export async function deleteTemplateAction(type: templates.EditableType, scope: TemplateScope): Promise<ActionState> {
  const done = await act(emailTemplates.deleteTemplate, { params: { template_type: type }, query: scope })
  if (!done.ok) return done
  revalidatePath(templatePath(type, { campaign_id: scope.campaign_id }))
  const t = await getTranslations('dashboard.campaigns.templates')
  return { ok: true, message: t('resetDone') }
}

/** null: the preview can't be shown now. */
export async function previewTemplateAction(
  type: templates.EditableType,
  scope: TemplateScope,
  draft: templates.TemplateDraft,
  dark: boolean,
  claimId: string | null,
): Promise<Preview | null> {
  const done = await act(emailTemplates.previewTemplate, {
    params: { template_type: type },
    query: scope,
    body: { ...partsOf(draft), dark, claim_id: claimId },
  })
  if (done.ok) return done.value
  const errors = done.code === 'invalid_request' ? done.others.flatMap(blockErrorOf) : []
  return errors.length > 0 ? { subject: null, text: null, html: null, errors } : null
}

/** Blocks are one field of the form: what is wrong with any of them stands there. */
async function ofBlocks({ code, fields: { body = [], ...fields } }: ActionFailure): Promise<ActionFailure> {
  const t = await getTranslations('dashboard.campaigns.done')
  return { ok: false, code, message: t('blocks'), fields: { ...fields, blocks: body }, others: [] }
}

/** The parts of a draft that are written: its blocks, or its code. */
function partsOf({ subject, blocks, ...code }: templates.TemplateDraft) {
  const parts = Object.entries({ subject, ...(blocks ? {} : code) }).filter(([, part]) => part.trim() !== '')
  return { ...Object.fromEntries(parts), ...(blocks && { blocks }) }
}

/** blocks.2.text: This field is required. → an error of the third block. */
function blockErrorOf(line: string): Preview['errors'] {
  const [, at, detail] = /^blocks\.(\d+)\S*: (.*)$/s.exec(line) ?? []
  return detail ? [{ field: 'body', line: Number(at) + 1, detail }] : []
}

/** Text and body of blocks; null: they have an error. */
export async function templateCodeAction(
  type: templates.EditableType,
  locale: string | null,
  subject: string,
  blocks: templates.TemplateBlock[],
): Promise<Pick<templates.TemplateDraft, 'text' | 'format' | 'body'> | null> {
  const done = await act(
    {
      endpoint: templates.previewTemplate,
      verb: (ctx, { params, body }) =>
        codeOf(ctx, params.template_type, { subject, blocks: body.blocks ?? [] }, localeGiven(locale)),
    },
    { params: { template_type: type }, body: { ...(subject.trim() && { subject }), blocks } },
  )
  return done.ok ? done.value : null
}

export async function sendTestAction(
  type: templates.EditableType,
  scope: TemplateScope,
  draft: templates.TemplateDraft,
): Promise<ActionState> {
  const done = await act(emailTemplates.sendTestTemplate, {
    params: { template_type: type },
    query: scope,
    body: partsOf(draft),
  })
  if (!done.ok) return done
  const t = await getTranslations('dashboard.campaigns.done')
  return { ok: true, message: t('test', { email: done.value.email }) }
}
