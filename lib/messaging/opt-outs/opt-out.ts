import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { newId } from '../../core/id.ts'

/** Sends this mailbox no more gifts and reminders of the organization. Safe to repeat: the first time counts. */
export const optOut = (
  ctx: Context,
  { email: given, campaignId }: { email: string; campaignId: string | null },
): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    const id = newId()
    const email = given.toLowerCase()
    const { count } = await tx.db.mailOptOut.createMany({
      data: [{ id, organizationId: tx.organizationId, email, campaignId, createdAt: tx.now() }],
      skipDuplicates: true,
    })
    if (count === 0) return
    await recordAudit(tx, {
      action: 'mail_opt_out.created',
      subject: { type: 'mail_opt_out', id },
      after: { email, campaign_id: campaignId },
    })
  })
