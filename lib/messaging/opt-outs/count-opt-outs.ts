import type { Context } from '../../platform/auth/context.ts'
import type { Statement } from '../../db/statements.ts'

const COUNT: Statement = {
  name: 'count_opt_outs_of_campaign',
  text: 'SELECT count(*) AS many FROM mail_opt_outs WHERE organization_id = $1::uuid AND campaign_id = $2::uuid',
}

/** How many mailboxes unsubscribed by a mail of this campaign and haven't undone it. */
export async function countOptOuts(ctx: Context, campaignId: string): Promise<bigint> {
  const [row] = await ctx.rows<{ many: bigint }>(COUNT, ctx.organizationId, campaignId)
  return row!.many
}
