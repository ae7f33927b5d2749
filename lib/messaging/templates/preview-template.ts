import type { EditableType, previewTemplate as endpoint, TemplateDraft } from '../../platform/api/email-templates.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { Context } from '../../platform/auth/context.ts'
import { organizationNameOf } from '../../organizations/organization-name.ts'
import { checkTemplate, type TemplateProblem } from './check-template.ts'
import { draftOf, type GivenDraft } from './draft-of.ts'
import { fillHtml, fillSubject, fillText, type Values } from './fill.ts'
import { assertOwnCampaign, templateInUse } from './show-template.ts'
import { samplesOf } from './variables.ts'

type Body = Input<typeof endpoint>['body']
export type GivenPreview = Omit<Body, 'claim_id'>

/** A draft filled with sample data, and with what is given of one recipient's. Faulty parts come back as null with their errors, the others are rendered. */
export async function previewTemplate(
  ctx: Context,
  type: EditableType,
  givenCampaignId: string | null | undefined,
  { dark, ...draft }: GivenPreview,
  given: Values = {},
): Promise<Output<typeof endpoint>> {
  const [whole, samples] = await Promise.all([completeDraft(ctx, type, givenCampaignId, draft), samplesFor(ctx, type)])
  const values = { ...samples, ...Object.fromEntries(Object.entries(given).filter(([name]) => name in samples)) }
  const { html, problems } = await checkTemplate(type, whole)
  const isValid = (field: TemplateProblem['field']) =>
    !problems.some((problem) => problem.field === field && problem.line !== null)
  const ofBrokenBlocks = Boolean(whole.blocks) && !isValid('body')
  const page = isValid('body') ? fillHtml(html, values) : null
  return {
    subject: isValid('subject') ? fillSubject(whole.subject, values) : null,
    text: isValid('text') && !ofBrokenBlocks ? fillText(whole.text, values) : null,
    html: page !== null && dark != null ? withColourScheme(page, dark) : page,
    errors: problems,
  }
}

/** Completes a draft with the parts of the template in use. */
export async function completeDraft(
  ctx: Context,
  type: EditableType,
  givenCampaignId: string | null | undefined,
  given: GivenDraft,
): Promise<TemplateDraft> {
  const inUse = await templateInUse(ctx, type, await assertOwnCampaign(ctx, givenCampaignId))
  const subject = given.subject ?? inUse.subject
  const draft = await draftOf(ctx, type, { ...given, subject })
  if ([draft.text, draft.format, draft.body].every((part) => part == null)) return { ...inUse, subject }
  return {
    subject,
    text: draft.text ?? inUse.text,
    format: draft.format ?? inUse.format,
    body: draft.body ?? inUse.body,
    blocks: draft.blocks ?? null,
  }
}

/** Sample values with the organization's name. */
export async function samplesFor(ctx: Context, type: EditableType): Promise<Values> {
  const organizationName = await organizationNameOf(ctx)
  return samplesOf(type, { origin: ctx.ports.addresses.origin, organizationName })
}

/** Fixes the page to dark or light, regardless of the reader's own preference. */
function withColourScheme(html: string, dark: boolean): string {
  const [always, never] = ['(min-width: 0)', '(max-width: 0)']
  const decided = html.replace(/\(\s*prefers-color-scheme\s*:\s*(dark|light)\s*\)/gi, (_, scheme: string) =>
    (scheme.toLowerCase() === 'dark') === dark ? always : never,
  )
  return decided.replace(
    /<\/head>/i,
    `<style>:root { color-scheme: only ${dark ? 'dark' : 'light'} !important; }</style></head>`,
  )
}
