import type { EditableType, previewTemplate as endpoint, TemplateDraft } from '../../platform/api/email-templates.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { Context } from '../../platform/auth/context.ts'
import { type Locale, localeOf } from '../../core/locales.ts'
import { mailedOrganization } from '../../organizations/organization-name.ts'
import { checkTemplate, type TemplateProblem } from './check-template.ts'
import { draftOf, type GivenDraft } from './draft-of.ts'
import type { TemplatePlace } from './find-template.ts'
import { fillHtml, fillSubject, fillText, type Values, valuesOf } from './fill.ts'
import { type GivenPlace, placeOf, templateInUse } from './show-template.ts'
import { samplesOf } from './variables.ts'

type Body = Input<typeof endpoint>['body']
export type GivenPreview = Omit<Body, 'claim_id'>

/**
 * A draft filled with sample data, and with what is given of one recipient's. Faulty parts come back as null with their
 * errors, the others are rendered.
 */
export async function previewTemplate(
  ctx: Context,
  type: EditableType,
  givenPlace: GivenPlace,
  { dark, ...draft }: GivenPreview,
  given: Values = {},
): Promise<Output<typeof endpoint>> {
  const place = await placeOf(ctx, givenPlace)
  const [whole, { samples, locale }] = await Promise.all([
    completeDraft(ctx, type, place, draft),
    samplesFor(ctx, type, place),
  ])
  const known = { ...samples, ...Object.fromEntries(Object.entries(given).filter(([name]) => name in samples)) }
  const values = valuesOf(known, locale)
  const { html, problems } = await checkTemplate(ctx, type, whole)
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
  place: TemplatePlace,
  given: GivenDraft,
): Promise<TemplateDraft> {
  const inUse = await templateInUse(ctx, type, place)
  const subject = given.subject ?? inUse.subject
  const draft = await draftOf(ctx, type, { ...given, subject }, place.locale)
  if ([draft.text, draft.format, draft.body].every((part) => part == null)) return { ...inUse, subject }
  return {
    subject,
    text: draft.text ?? inUse.text,
    format: draft.format ?? inUse.format,
    body: draft.body ?? inUse.body,
    blocks: draft.blocks ?? null,
  }
}

/** Sample values with the organization's name, and the language that they are in. */
export async function samplesFor(
  ctx: Context,
  type: EditableType,
  place: TemplatePlace,
): Promise<{ samples: Values; locale: Locale }> {
  const organization = await mailedOrganization(ctx)
  const locale = localeOf(place.locale, organization.locale)
  const { origin } = ctx.ports.addresses
  return { samples: samplesOf(type, { origin, organizationName: organization.name, locale }), locale }
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
