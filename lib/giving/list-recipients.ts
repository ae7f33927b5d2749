import type { Statement } from '../db/statements.ts'
import type { Context } from '../platform/auth/context.ts'

const MOST = 50

const RECIPIENTS: Statement = {
  name: 'recipients_to_preview',
  text: `SELECT id, email FROM email_claims WHERE organization_id = $1::uuid AND campaign_id = $2::uuid
    ORDER BY id DESC LIMIT $3::int`,
}
const ALL_RECIPIENTS: Statement = {
  name: 'all_recipients_to_preview',
  text: `SELECT id, email FROM email_claims WHERE organization_id = $1::uuid ORDER BY id DESC LIMIT $2::int`,
}

/** The newest claims of a campaign, or of the organization, whose mails a preview can show. */
export const listRecipients = (ctx: Context, campaignId: string | null): Promise<{ id: string; email: string }[]> =>
  campaignId === null
    ? ctx.rows(ALL_RECIPIENTS, ctx.organizationId, MOST)
    : ctx.rows(RECIPIENTS, ctx.organizationId, campaignId, MOST)
