import { z } from 'zod'
import { uuid } from '../../core/wire.ts'
import { type Seller, SELLER_COLUMNS, sellerOf, type SellerRow } from '../../organizations/find-seller.ts'
import { domainShownUntil } from '../../organizations/web-domain.ts'
import { type HotRead, oneRow } from '../../platform/http/hot/hot-read.ts'
import { keptRead } from '../../platform/http/hot/kept-get.ts'

/** Which of a collection's items bring their holders something besides. */
type PerksOfCollection = 'EVERY' | 'SOME' | null
type Offer = { seller: Seller; perks: PerksOfCollection }
type Row = SellerRow & { organizationId: string; perks: PerksOfCollection }

/** Perks that everybody is told of. Those of single items would tell what an item is before its reveal. */
const PERKS = `SELECT CASE WHEN bool_or(p.item_id IS NULL) THEN 'EVERY' WHEN count(*) > 0 THEN 'SOME' END AS shown
  FROM perks p WHERE p.collection_id = c.id AND p.is_public
    AND (p.item_id IS NULL OR c.reveal_strategy <> 'DELAYED' OR c.revealed_at IS NOT NULL)`

const offerOfCollection: HotRead<{ params: { collection_id: string } }, Row, Offer> = {
  ...oneRow('offer_of_collection', {
    key: { id: 'uuid' },
    from: `FROM collections c CROSS JOIN LATERAL published_seller(c.organization_id) o
        CROSS JOIN LATERAL (${PERKS}) perks
      WHERE c.id = asked.id AND c.deployment_status = 'SUCCESS' AND c.is_public`,
    version: 'o.row_version, perks.shown',
    columns: `${SELLER_COLUMNS}, c.organization_id::text AS "organizationId", perks.shown AS perks`,
  }),
  keyOf: ({ params }) => [params.collection_id],
  show: ([row], _, moment) => ({ seller: sellerOf(row!, row!.organizationId, moment), perks: row!.perks }),
  momentsOf: ([row]) => [domainShownUntil(row!)],
}

const read = keptRead({ params: z.object({ collection_id: uuid }), response: z.custom<Offer>() }, offerOfCollection)

/**
 * Whose a public collection is, and what its holders get, for its page: kept while both are the same. null for what
 * isn't published.
 */
export const readCollectionOffer = (collectionId: string): Promise<Offer | null> =>
  read({ params: { collection_id: collectionId } })
