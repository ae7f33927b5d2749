import type { Context } from '../../platform/auth/context.ts'
import type { Statement } from '../../db/statements.ts'
import { CAMPAIGN_COLUMNS, type CampaignRow } from './show-campaign.ts'

const CAMPAIGN: Statement = {
  name: 'shown_campaign',
  text: `SELECT ${CAMPAIGN_COLUMNS} FROM campaigns c
    WHERE organization_id = $1::uuid AND id = $2::uuid`,
}

/** A campaign of the organization; null for any other id, and once it is deleted. */
export async function findCampaign(
  ctx: Pick<Context, 'rows' | 'organizationId'>,
  id: string,
): Promise<CampaignRow | null> {
  const [row] = await ctx.rows<CampaignRow>(CAMPAIGN, ctx.organizationId, id)
  return row ?? null
}
