import type { Input } from '../../platform/api/endpoint.ts'
import type { createPurchaseIntent as endpoint } from '../../platform/api/purchases.ts'
import type { EarlyRefusal } from '../../platform/http/early-refusal.ts'
import { type FoundOffer, type FoundOfferRow, offerOf, offerQuery } from '../../offers/listings/offer.ts'
import { isOpenVoucherPurchase } from './find-earlier.ts'
import { assertOffered, purchaseTermsOf } from './purchase-terms.ts'

/**
 * Refuses a purchase of what isn't sold now. One that this request made before, and the open voucher purchase of its
 * address, are for `createPurchase` to find. The subqueries with LIMIT are looked up for each request; as NOT EXISTS
 * they might be joins of whole tables. With OFFSET 0 an address' purchases are looked up by the address alone, not
 * among all that are open or of the listing.
 */
export const whereNotSold: EarlyRefusal<Pick<Input<typeof endpoint>, 'body'>, FoundOfferRow, FoundOffer> = {
  name: 'refuse_where_not_sold',
  asked: { listing_id: 'uuid', address: 'text', moment: 'timestamptz' },
  valuesOf: ({ body }, now) => [body.listing_id, body.buyer.eth_address ?? null, now],
  query: `${offerQuery('asked.listing_id')}
    AND (SELECT 1 FROM purchase_intents i WHERE i.request_key = asked.request_key LIMIT 1) IS NULL
    AND (SELECT 1 FROM (SELECT i.* FROM purchase_intents i WHERE i.buyer_address = asked.address OFFSET 0) i
      WHERE i.listing_id = l.id AND ${isOpenVoucherPurchase('asked.moment')} LIMIT 1) IS NULL`,
  judge: (row, { body }, moment) => {
    const offer = offerOf(row)
    assertOffered(moment, offer, purchaseTermsOf(offer, body))
    return offer
  },
}
