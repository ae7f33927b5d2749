import type { Campaign } from '../../../generated/prisma/client.ts'
import type { listCampaigns as endpoint } from '../../platform/api/campaigns.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { Context } from '../../platform/auth/context.ts'
import { byId, paginate } from '../../core/paginate.ts'
import { campaignOf, senderFactsOf } from './show-campaign.ts'

export async function listCampaigns(ctx: Context, query: Input<typeof endpoint>['query']) {
  const where = { ...(query.name && { name: query.name }) }
  const organization = await senderFactsOf(ctx)
  return paginate(query, {
    list: ['campaigns', ctx.organizationId],
    key: (row: Campaign) => row.id,
    find: (range) => {
      const { where: after, ...rest } = byId(range)
      return ctx.db.campaign.findMany({ where: { AND: [where, after] }, ...rest })
    },
    count: () => ctx.db.campaign.count({ where }),
    show: (row) => campaignOf(row, organization),
  })
}
