import type { Context } from '../../platform/auth/context.ts'
import type { Statement } from '../../db/statements.ts'

type CampaignChoice = { id: string; name: string }

const CHOICES: Statement = {
  name: 'campaign_choices',
  text: 'SELECT id, name FROM campaigns WHERE organization_id = $1::uuid ORDER BY id DESC LIMIT $2::int',
}

/** The newest campaigns that a form offers, without their number. */
export const listCampaignChoices = (ctx: Context, { limit }: { limit: number }): Promise<CampaignChoice[]> =>
  ctx.rows<CampaignChoice>(CHOICES, ctx.organizationId, limit)
