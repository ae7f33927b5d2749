import { cache } from 'react'
import { anyone } from '@/app/claim/anyone'
import { findCampaign } from '@/lib/messaging/campaigns/find-campaign'
import { listItemPerks } from '@/lib/onchain/perks/list-item-perks'
import { findSeller } from '@/lib/organizations/find-seller'
import { buyerContext } from '@/lib/platform/auth/authenticate'

const PERKS = 20

/** Who sells, in which campaign, and what holders of the item get besides; all in one round trip. */
export const readShop = cache(async (organizationId: string, itemId: string | null, campaignId: string | null) => {
  const ctx = buyerContext(await anyone(), organizationId, { together: true })
  const [seller, campaign, perks] = await Promise.all([
    findSeller(ctx, organizationId),
    campaignId ? findCampaign(ctx, campaignId) : null,
    itemId ? listItemPerks(ctx, itemId, { limit: PERKS, order_direction: 'ASC' }) : null,
  ])
  return { seller, campaign, perks: perks?.results ?? [] }
})
