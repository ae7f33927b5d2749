import type { createCampaign as endpoint } from '../../platform/api/campaigns.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { nameTaken } from '../../core/errors.ts'
import { localeGiven } from '../../core/locale-given.ts'
import { newId } from '../../core/id.ts'
import { isUniqueViolation } from '../../db/errors.ts'
import { assertOwnSender } from './sender.ts'
import { campaignOf, senderFactsOf } from './show-campaign.ts'

/** Default of `reminder_days`: days before a claim expires at which its reminder is mailed. */
export const REMINDER_DAYS = 3

/** Creates a campaign. Throws `name_taken`, and `invalid_request` for a sender that the organization may not use. */
export async function createCampaign(
  ctx: Context,
  body: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> {
  const locale = localeGiven(body.locale)
  await assertOwnSender(ctx, body.email_from)
  try {
    return await inTransaction(ctx, async (tx) => {
      const row = await tx.db.campaign.create({
        data: {
          id: newId(),
          organizationId: tx.organizationId,
          name: body.name,
          emailFrom: body.email_from ?? null,
          reminderDays: body.reminder_days ?? REMINDER_DAYS,
          sendAt: body.send_at ?? null,
          locale,
          createdAt: tx.now(),
        },
      })
      await recordAudit(tx, { action: 'campaign.created', subject: { type: 'campaign', id: row.id }, after: row })
      return campaignOf(row, await senderFactsOf(tx))
    })
  } catch (error) {
    if (isUniqueViolation(error, 'name')) throw nameTaken('a campaign', body.name)
    throw error
  }
}
