import type { EditableType } from '../../platform/api/email-templates.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { findTemplateInScope } from './find-template.ts'
import { lockTemplates } from './lock-templates.ts'
import { type GivenPlace, placeOf } from './show-template.ts'

/**
 * Deletes a campaign's or the organization's template with all its versions, or one variant of it. Mails then use the
 * default, the organization's, or the platform's. Throws `not_found`.
 */
export async function deleteTemplate(ctx: Context, type: EditableType, given: GivenPlace): Promise<undefined> {
  const place = await placeOf(ctx, given)
  return inTransaction(ctx, async (tx) => {
    await lockTemplates(tx)
    const before = await findTemplateInScope(tx, type, place)
    const { count } = before ? await tx.db.emailTemplate.deleteMany({ where: { id: before.id } }) : { count: 0 }
    if (!before || count === 0) throw notFound()
    await recordAudit(tx, {
      action: 'email_template.deleted',
      subject: { type: 'email_template', id: before.id },
      before: { template_type: type, campaign_id: place.campaignId, locale: place.locale, version: before.version },
    })
    return undefined
  })
}
