import { anyone } from '@/app/claim/anyone'
import { listItemPerks } from '@/lib/onchain/perks/list-item-perks'
import { findSeller } from '@/lib/organizations/find-seller'
import { buyerContext } from '@/lib/platform/auth/authenticate'

const PERKS = 20

/** Who sells, and what holders of the item get besides; both in one round trip. */
export async function readShop(organizationId: string, itemId: string | null) {
  const ctx = buyerContext(await anyone(), organizationId, { together: true })
  const [seller, perks] = await Promise.all([
    findSeller(ctx, organizationId),
    itemId ? listItemPerks(ctx, itemId, { limit: PERKS, order_direction: 'ASC' }) : null,
  ])
  return { seller, perks: perks?.results ?? [] }
}
