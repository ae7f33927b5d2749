import type { EditableType, sendTestTemplate as endpoint } from '../../platform/api/email-templates.ts'
import type { Output } from '../../platform/api/endpoint.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { personOf } from '../../platform/auth/person.ts'
import { AppError } from '../../core/errors.ts'
import { writeMail } from '../outbox/write-mail.ts'
import { assertTemplateValid } from './check-template.ts'
import { fillHtml, fillSubject, fillText } from './fill.ts'
import type { GivenDraft } from './draft-of.ts'
import { completeDraft, samplesFor } from './preview-template.ts'

/**
 * Mails a draft to the caller, filled with sample data. Throws `template_invalid`, and `forbidden` when no member is
 * behind the request.
 */
export async function sendTestTemplate(
  ctx: Context,
  type: EditableType,
  givenCampaignId: string | null | undefined,
  draft: GivenDraft,
): Promise<Output<typeof endpoint>> {
  const person = await personOf(ctx)
  if (!person) throw new AppError('forbidden', 'A test goes to the member who asks for it, and nobody is signed in.')
  const [whole, values] = await Promise.all([completeDraft(ctx, type, givenCampaignId, draft), samplesFor(ctx, type)])
  const { html } = await assertTemplateValid(type, whole)
  const letter = {
    subject: `[Test] ${fillSubject(whole.subject, values)}`,
    text: fillText(whole.text, values),
    html: fillHtml(html, values),
  }
  return inTransaction(ctx, async (tx) => {
    const sentAt = tx.now().toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
    await writeMail(tx, {
      templateType: 'TEST',
      to: person.email,
      variables: { organization_name: values.organization_name ?? '', sent_at: `${sentAt} UTC`, letter },
    })
    await recordAudit(tx, {
      action: 'email_template.tested',
      subject: { type: 'organization', id: tx.organizationId },
      after: { template_type: type, campaign_id: givenCampaignId ?? null },
    })
    return { email: person.email }
  })
}
