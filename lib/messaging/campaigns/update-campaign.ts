import type { updateCampaign as endpoint } from '../../platform/api/campaigns.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { organizationNameOf } from '../../organizations/organization-name.ts'
import { nameTaken, notFound } from '../../core/errors.ts'
import { isUniqueViolation } from '../../db/errors.ts'
import { assertOwnSender } from './sender.ts'
import { campaignOf } from './show-campaign.ts'

/** Changes name, sender and reminder days. Mails already in the outbox stay unchanged. Throws `name_taken` and `invalid_request`. */
export async function updateCampaign(
  ctx: Context,
  id: string,
  body: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> {
  const before = await ctx.db.campaign.findFirst({ where: { id } })
  if (!before) throw notFound()
  if (body.email_from !== before.emailFrom) await assertOwnSender(ctx, body.email_from)
  try {
    return await inTransaction(ctx, async (tx) => {
      const data = { name: body.name, emailFrom: body.email_from, reminderDays: body.reminder_days }
      const [after] = await tx.db.campaign.updateManyAndReturn({ where: { id }, data })
      if (!after) throw notFound()
      await recordAudit(tx, { action: 'campaign.updated', subject: { type: 'campaign', id }, before, after })
      return campaignOf(after, await organizationNameOf(tx))
    })
  } catch (error) {
    if (isUniqueViolation(error, 'name')) throw nameTaken('a campaign', body.name)
    throw error
  }
}
