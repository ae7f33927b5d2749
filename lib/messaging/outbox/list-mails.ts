import type { z } from 'zod'
import type { claimMail } from '../../platform/api/email-claims.ts'
import type { Context } from '../../platform/auth/context.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import type { Statement } from '../../db/statements.ts'

const MAIL = columns('m', 'OutboxMessage', [
  'id',
  'templateType',
  'toEmail',
  'state',
  'attempts',
  'lastError',
  'createdAt',
  'sentAt',
  'deliveredAt',
  'bouncedAt',
  'complainedAt',
])

const MAILS: Statement = {
  name: 'mails_of_claim',
  text: `SELECT ${MAIL} FROM outbox_messages m
    WHERE organization_id = $1::uuid AND claim_id = $2::uuid ORDER BY id DESC LIMIT 50`,
}

/** A claim's last 50 mails, newest first: their delivery, not their content. */
export async function listClaimMails(ctx: Context, claimId: string): Promise<z.output<typeof claimMail>[]> {
  const rows = await ctx.rows<RowOf<typeof MAIL>>(MAILS, ctx.organizationId, claimId)
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
