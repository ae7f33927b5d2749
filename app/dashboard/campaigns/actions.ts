'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { templatePath } from '@/components/dashboard/campaigns/template-labels'
import type { Preview } from '@/components/dashboard/campaigns/template-preview'
import * as api from '@/lib/platform/api/campaigns'
import * as templates from '@/lib/platform/api/email-templates'
import { previewForRecipient } from '@/lib/giving/preview-for-recipient'
import { createCampaign } from '@/lib/messaging/campaigns/create-campaign'
import { deleteCampaign } from '@/lib/messaging/campaigns/delete-campaign'
import { updateCampaign } from '@/lib/messaging/campaigns/update-campaign'
import type { ActionState } from '@/lib/platform/api/form-action'
import { act } from '@/lib/platform/http/action'
import { deleteTemplate } from '@/lib/messaging/templates/delete-template'
import { previewTemplate } from '@/lib/messaging/templates/preview-template'
import { saveTemplate } from '@/lib/messaging/templates/save-template'
import { sendTestTemplate } from '@/lib/messaging/templates/send-test-template'

const path = '/dashboard/campaigns'

export async function createCampaignAction(_: ActionState, form: FormData): Promise<ActionState> {
  const done = await act(api.createCampaign, { form }, (ctx, { body }) => createCampaign(ctx, body))
  if (!done.ok) return done
  redirect(`${path}/${done.value.id}`)
}

export async function updateCampaignAction(campaignId: string, _: ActionState, form: FormData): Promise<ActionState> {
  const done = await act(api.updateCampaign, { params: { campaign_id: campaignId }, form }, (ctx, { params, body }) =>
    updateCampaign(ctx, params.campaign_id, body),
  )
  if (!done.ok) return done
  revalidatePath(`${path}/${campaignId}`)
  return { ok: true, message: 'The campaign is saved.' }
}

export async function deleteCampaignAction(campaignId: string): Promise<ActionState> {
  const done = await act(api.deleteCampaign, { params: { campaign_id: campaignId } }, (ctx, { params }) =>
    deleteCampaign(ctx, params.campaign_id),
  )
  if (!done.ok) return done
  redirect(path)
}

const written = (form: FormData, name: string) => String(form.get(name) ?? '')

/** Doesn't trim templates, so that the line numbers of errors match the text. */
export async function saveTemplateAction(
  type: templates.EditableType,
  campaignId: string | null,
  _: ActionState,
  form: FormData,
): Promise<ActionState> {
  const body = {
    subject: written(form, 'subject'),
    text: written(form, 'text'),
    format: written(form, 'format'),
    body: written(form, 'body'),
  }
  const done = await act(
    templates.saveTemplate,
    { params: { template_type: type }, form, body },
    (ctx, { params, body }) => saveTemplate(ctx, params.template_type, campaignId, body),
  )
  if (!done.ok) return done
  revalidatePath(templatePath(type, campaignId))
  redirect(`${templatePath(type, campaignId)}?saved=${done.value.version}`)
}

export async function deleteTemplateAction(
  type: templates.EditableType,
  campaignId: string | null,
): Promise<ActionState> {
  const done = await act(templates.deleteTemplate, { params: { template_type: type } }, (ctx, { params }) =>
    deleteTemplate(ctx, params.template_type, campaignId),
  )
  if (!done.ok) return done
  redirect(campaignId ? `${path}/${campaignId}` : path)
}

/** null: the preview can't be shown now. */
export async function previewTemplateAction(
  type: templates.EditableType,
  campaignId: string | null,
  draft: templates.TemplateDraft,
  dark: boolean,
  claimId: string | null,
): Promise<Preview | null> {
  const parts = Object.fromEntries(Object.entries(draft).filter(([, part]) => part.trim() !== ''))
  const done = await act(
    templates.previewTemplate,
    { params: { template_type: type }, body: { ...parts, dark, claim_id: claimId } },
    (ctx, { params, body }) =>
      body.claim_id
        ? previewForRecipient(ctx, params.template_type, campaignId, { ...body, claim_id: body.claim_id })
        : previewTemplate(ctx, params.template_type, campaignId, body),
  )
  return done.ok ? done.value : null
}

export async function sendTestAction(
  type: templates.EditableType,
  campaignId: string | null,
  draft: templates.TemplateDraft,
): Promise<ActionState> {
  const done = await act(
    templates.sendTestTemplate,
    { params: { template_type: type }, body: draft },
    (ctx, { params, body }) => sendTestTemplate(ctx, params.template_type, campaignId, body),
  )
  if (!done.ok) return done
  return { ok: true, message: `A test is on its way to ${done.value.email}.` }
}
