import type { EditableType } from '../../platform/api/email-templates.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { findTemplateInScope } from './find-template.ts'
import { assertOwnCampaign } from './show-template.ts'

/**
 * Deletes a campaign's or the organization's template with all its versions. Mails then use the organization's, or the
 * platform's. Throws `not_found`.
 */
export async function deleteTemplate(
  ctx: Context,
  type: EditableType,
  givenCampaignId: string | null | undefined,
): Promise<undefined> {
  const campaignId = await assertOwnCampaign(ctx, givenCampaignId)
  return inTransaction(ctx, async (tx) => {
    const before = await findTemplateInScope(tx, type, campaignId)
    const { count } = before ? await tx.db.emailTemplate.deleteMany({ where: { id: before.id } }) : { count: 0 }
    if (!before || count === 0) throw notFound()
    await recordAudit(tx, {
      action: 'email_template.deleted',
      subject: { type: 'email_template', id: before.id },
      before: { template_type: type, campaign_id: campaignId, version: before.version },
    })
    return undefined
  })
}
