import type { z } from 'zod'
import { columns, type RowOf } from '../../db/columns.ts'
import type { Statement } from '../../db/statements.ts'
import type { campaign } from '../../platform/api/campaigns.ts'
import type { Context } from '../../platform/auth/context.ts'

/** The fields of a campaign's row that are shown. */
export const CAMPAIGN_COLUMNS = columns('c', 'Campaign', [
  'id',
  'name',
  'emailFrom',
  'reminderDays',
  'sendAt',
  'locale',
  'createdAt',
])
export type CampaignRow = RowOf<typeof CAMPAIGN_COLUMNS>

/** The facts that make the sender label of mails, unless their campaign has its own. */
type SenderFacts = RowOf<typeof SENDER_COLUMNS>
const SENDER_COLUMNS = columns('o', 'Organization', ['name', 'showsVitrine'])

const SENDER: Statement = {
  name: 'sender_of_organization',
  text: `SELECT ${SENDER_COLUMNS} FROM organizations o WHERE id = $1::uuid`,
}

export async function senderFactsOf(ctx: Pick<Context, 'rows' | 'organizationId'>): Promise<SenderFacts> {
  const [organization] = await ctx.rows<SenderFacts>(SENDER, ctx.organizationId)
  return organization!
}

/** The sender label of mails that no campaign's own replaces. */
export const defaultSenderOf = ({ name, showsVitrine }: SenderFacts): string =>
  showsVitrine ? `${name} via Vitrine` : name

export const campaignOf = (row: CampaignRow, organization: SenderFacts): z.output<typeof campaign> => ({
  id: row.id,
  name: row.name,
  email_from: row.emailFrom ?? defaultSenderOf(organization),
  reminder_days: row.reminderDays,
  send_at: row.sendAt,
  locale: row.locale,
  created_at: row.createdAt,
})
