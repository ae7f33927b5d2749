import { z } from 'zod'
import { uuid } from '../../core/wire.ts'
import { type Seller, SELLER_COLUMNS, sellerOf, type SellerRow } from '../../organizations/find-seller.ts'
import { domainShownUntil } from '../../organizations/web-domain.ts'
import { type HotRead, oneRow } from '../../platform/http/hot/hot-read.ts'
import { keptRead } from '../../platform/http/hot/kept-get.ts'

type Listing = {
  id: string
  price: string
  currency: string
  price_currency_decimals: number
  starts_at: string | null
  ends_at: string | null
}
type Offered = { seller: Seller; listings: Listing[] }
type Row = SellerRow & { organizationId: string; listings: Listing[] | null }

/** Which of the listings sells is up to the clock, so all of them are kept, the newest first. */
const offerOfItem: HotRead<{ params: { item_id: string } }, Row, Offered> = {
  ...oneRow('offer_of_item', {
    key: { id: 'uuid' },
    from: `FROM items i JOIN collections c ON c.id = i.collection_id
      CROSS JOIN LATERAL published_seller(i.organization_id) o
      LEFT JOIN LATERAL (
        SELECT jsonb_agg(jsonb_build_object('id', l.id, 'price', l.price::text,
          'currency', l.currency, 'price_currency_decimals', l.currency_decimals,
          'starts_at', l.starts_at, 'ends_at', l.ends_at) ORDER BY l.id DESC) AS all
        FROM listings l
        WHERE l.organization_id = i.organization_id AND l.item_id = i.id AND l.status IN ('ACTIVE', 'SCHEDULED')
          AND NOT is_suspended(l.organization_id, l.collection_id)) offers ON true
      WHERE i.id = asked.id AND i.locked_at IS NOT NULL AND c.deployment_status = 'SUCCESS' AND c.is_public`,
    version: 'o.row_version, offers.all',
    columns: `${SELLER_COLUMNS}, i.organization_id::text AS "organizationId", offers.all AS listings`,
  }),
  keyOf: ({ params }) => [params.item_id],
  show: ([row], _, moment) => ({
    seller: sellerOf(row!, row!.organizationId, moment),
    listings: row!.listings ?? [],
  }),
  momentsOf: ([row]) => [domainShownUntil(row!)],
}

const read = keptRead({ params: z.object({ item_id: uuid }), response: z.custom<Offered>() }, offerOfItem)

/**
 * Whose a public item is, and the newest listing through which it can be bought at a time, null when there is none;
 * kept while both are the same.
 */
export async function readItemOffer(itemId: string, at: Date) {
  const offered = await read({ params: { item_id: itemId } })
  const sells = ({ starts_at: from, ends_at: to }: Listing) =>
    (from === null || new Date(from) <= at) && (to === null || new Date(to) > at)
  return { seller: offered?.seller ?? null, listing: offered?.listings.find(sells) ?? null }
}
