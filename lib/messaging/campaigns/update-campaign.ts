import type { updateCampaign as endpoint } from '../../platform/api/campaigns.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { Statement } from '../../db/statements.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { nameTaken, notFound } from '../../core/errors.ts'
import { localeGiven } from '../../core/locale-given.ts'
import { isUniqueViolation } from '../../db/errors.ts'
import { assertOwnSender } from './sender.ts'
import { campaignOf, senderFactsOf } from './show-campaign.ts'

/**
 * Gifts that still wait for their day leave at the new one. Under row-level security, the campaign's mails are found by
 * their index.
 */
const RESCHEDULE: Statement = {
  name: 'reschedule_mails_of_campaign',
  text: `UPDATE outbox_messages m SET next_at = greatest($3::timestamptz, $4::timestamptz)
    FROM email_claims e
    WHERE m.organization_id = $1::uuid AND m.campaign_id = $2::uuid AND m.state = 'PENDING'
      AND m.template_type = 'REDEEM_NFT' AND m.attempts = 0
      AND m.next_at > $4::timestamptz AND e.organization_id = m.organization_id AND e.id = m.claim_id
      AND e.purchase_intent_id IS NULL`,
}

/**
 * Changes name, sender, reminder days and when its gifts leave. What mails already in the outbox say stays unchanged.
 * Throws `name_taken` and `invalid_request`.
 */
export async function updateCampaign(
  ctx: Context,
  id: string,
  body: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> {
  const before = await ctx.db.campaign.findFirst({ where: { id } })
  if (!before) throw notFound()
  const locale = body.locale === undefined ? undefined : localeGiven(body.locale)
  if (body.email_from !== before.emailFrom) await assertOwnSender(ctx, body.email_from)
  try {
    return await inTransaction(ctx, async (tx) => {
      const { name, email_from: emailFrom, reminder_days: reminderDays, send_at: sendAt } = body
      const data = { name, emailFrom, reminderDays, sendAt, locale }
      const [after] = await tx.db.campaign.updateManyAndReturn({ where: { id }, data })
      if (!after) throw notFound()
      if (after.sendAt?.getTime() !== before.sendAt?.getTime())
        await tx.later(RESCHEDULE, tx.organizationId, id, after.sendAt?.toISOString() ?? null, tx.now().toISOString())
      await recordAudit(tx, { action: 'campaign.updated', subject: { type: 'campaign', id }, before, after })
      return campaignOf(after, await senderFactsOf(tx))
    })
  } catch (error) {
    if (isUniqueViolation(error, 'name')) throw nameTaken('a campaign', body.name)
    throw error
  }
}
