import type { PurchaseIntent } from '../../../generated/prisma/client.ts'

/** What events and the audit log say of a purchase: never its secret. */
export const purchaseEventOf = (intent: PurchaseIntent, more: object = {}) => ({
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
})
