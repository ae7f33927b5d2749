import type { PurchaseIntent } from '../../../generated/prisma/client.ts'
import type { EventData } from '../../platform/api/event-data.ts'

type Told = EventData<'purchase.confirmed'>

/** The data of a purchase in events and the audit log. Its secret is never in it. */
export function purchaseEventOf(intent: PurchaseIntent): Told
export function purchaseEventOf<More extends object>(intent: PurchaseIntent, more: More): Told & More
export function purchaseEventOf(intent: PurchaseIntent, more: object = {}): Told {
  return {
    purchase_intent_id: intent.id,
    listing_id: intent.listingId,
    provider: intent.provider,
    mode: intent.mode,
    quantity: intent.quantity,
    price: intent.total.toFixed(),
    currency: intent.currency,
    email: intent.buyerEmail,
    eth_address: intent.buyerAddress,
    ...more,
  }
}
