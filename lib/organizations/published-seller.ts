import { z } from 'zod'
import { uuid } from '../core/wire.ts'
import { type HotRead, oneRow } from '../platform/http/hot/hot-read.ts'
import { keptRead } from '../platform/http/hot/kept-get.ts'
import { type Seller, sellerOf, type SellerRow } from './find-seller.ts'
import { domainShownUntil } from './web-domain.ts'

/** The columns of `published_seller() o`. */
export const SELLER_COLUMNS = `o.name, o.brand, o.terms_url AS "termsUrl", o.contact_email AS "contactEmail", o.shows_vitrine AS "showsVitrine",
  o.web_domain AS "webDomain", o.web_domain_found_at AS "webDomainFoundAt"`

const publishedSeller: HotRead<{ params: { organization_id: string } }, SellerRow, Seller> = {
  ...oneRow('published_seller', {
    key: { id: 'uuid' },
    from: 'FROM published_seller(asked.id) o',
    version: 'o.row_version',
    columns: SELLER_COLUMNS,
  }),
  keyOf: ({ params }) => [params.organization_id],
  show: ([row], { params }, moment) => sellerOf(row!, params.organization_id, moment),
  momentsOf: ([row]) => [domainShownUntil(row!)],
}

const read = keptRead({ params: z.object({ organization_id: uuid }), response: z.custom<Seller>() }, publishedSeller)

/** Whose a public collection is, for its pages: kept while it is the same. null for an organization that has published nothing. */
export const readPublishedSeller = (organizationId: string): Promise<Seller | null> =>
  read({ params: { organization_id: organizationId } })
