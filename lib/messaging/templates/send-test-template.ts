import type { EditableType, sendTestTemplate as endpoint } from '../../platform/api/email-templates.ts'
import type { Output } from '../../platform/api/endpoint.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { personOf } from '../../platform/auth/person.ts'
import { AppError } from '../../core/errors.ts'
import { writeMail } from '../outbox/write-mail.ts'
import { assertTemplateValid } from './check-template.ts'
import { momentOf } from '../../core/day.ts'
import { localeOf } from '../../core/locales.ts'
import { filled, memberWords } from './mail-words.ts'
import { fillHtml, fillSubject, fillText, valuesOf } from './fill.ts'
import type { GivenDraft } from './draft-of.ts'
import { type GivenPlace, placeOf } from './show-template.ts'
import { completeDraft, samplesFor } from './preview-template.ts'

/**
 * Mails a draft to the caller, filled with sample data. Throws `template_invalid`, and `forbidden` when no member is
 * behind the request.
 */
export async function sendTestTemplate(
  ctx: Context,
  type: EditableType,
  givenPlace: GivenPlace,
  draft: GivenDraft,
): Promise<Output<typeof endpoint>> {
  const person = await personOf(ctx)
  if (!person) throw new AppError('forbidden', 'A test goes to the member who asks for it, and nobody is signed in.')
  const place = await placeOf(ctx, givenPlace)
  const [whole, { samples, locale }] = await Promise.all([
    completeDraft(ctx, type, place, draft),
    samplesFor(ctx, type, place),
  ])
  const values = valuesOf(samples, locale)
  const { html } = await assertTemplateValid(ctx, type, whole)
  const reads = localeOf(person.locale, locale)
  const letter = {
    subject: filled(memberWords(reads).test.draft, reads, { subject: fillSubject(whole.subject, values) }),
    text: fillText(whole.text, values),
    html: fillHtml(html, values),
  }
  return inTransaction(ctx, async (tx) => {
    await writeMail(tx, {
      templateType: 'TEST',
      to: person.email,
      locale: reads,
      variables: { organization_name: samples.organization_name ?? '', sent_at: momentOf(tx.now(), reads), letter },
    })
    await recordAudit(tx, {
      action: 'email_template.tested',
      subject: { type: 'organization', id: tx.organizationId },
      after: { template_type: type, campaign_id: place.campaignId, locale: place.locale },
    })
    return { email: person.email }
  })
}
