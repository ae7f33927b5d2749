import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'

/** Undoes `optOut`. */
export const optIn = (ctx: Context, email: string): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    const row = await tx.db.mailOptOut.findFirst({ where: { email: email.toLowerCase() } })
    if (!row) return
    const { count } = await tx.db.mailOptOut.deleteMany({ where: { id: row.id } })
    if (count === 0) return
    await recordAudit(tx, {
      action: 'mail_opt_out.deleted',
      subject: { type: 'mail_opt_out', id: row.id },
      before: { email: row.email, campaign_id: row.campaignId },
    })
  })
