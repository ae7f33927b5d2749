import type { z } from 'zod'
import type { claimMail } from '../../platform/api/email-claims.ts'
import type { Context } from '../../platform/auth/context.ts'

/** A claim's last 50 mails, newest first: their delivery, not their content. */
export async function listClaimMails(ctx: Context, claimId: string): Promise<z.output<typeof claimMail>[]> {
  const rows = await ctx.db.outboxMessage.findMany({ where: { claimId }, orderBy: { id: 'desc' }, take: 50 })
  return rows.map((row) => ({
    id: row.id,
    template_type: row.templateType,
    email: row.toEmail,
    state: row.state === 'HELD' ? 'PENDING' : row.state,
    attempts: row.attempts,
    failure: row.lastError,
    created_at: row.createdAt,
    sent_at: row.sentAt,
    delivered_at: row.deliveredAt,
    bounced_at: row.bouncedAt,
    complained_at: row.complainedAt,
  }))
}
