/** The events that webhooks deliver: when each happens, and an example of its data. Docs, pages and tests use this table. */
type EventDescription = { when: string; data: Record<string, unknown> }

const ITEM = '0199a9e0-1f6a-7b1f-8abc-3d5f6a7b8c91'
const COLLECTION = '0199a9e0-0c3d-7a55-9d10-5b1c2d3e4f50'
const LISTING = '0199a9e0-2b7c-7c60-8e21-6c2d3e4f5a61'
const CLAIM = '0199a9e0-3d8e-7d71-9f32-7d3e4f5a6b72'
const PURCHASE = '0199a9e0-4e9f-7e82-8a43-8e4f5a6b7c83'
const HASH = '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060'
const ADA = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const GRACE = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000'

const move = (from: string, to: string) => ({
  item_id: ITEM,
  collection_id: COLLECTION,
  network_id: 137,
  token_id: '7',
  quantity: '1',
  from,
  to,
  tx_hash: HASH,
  block_number: 66_100_200,
  log_index: 3,
  timestamp: '2026-11-20T12:00:00.000Z',
})
const listing = (status: string, confirmed: string) => ({
  listing_id: LISTING,
  item_id: ITEM,
  collection_id: null,
  campaign_id: null,
  status,
  price: '1999',
  currency: 'EUR',
  quantity_listed: '100',
  quantity_confirmed: confirmed,
  payment_providers: ['CARD_PROVIDER'],
})
const purchase = {
  purchase_intent_id: PURCHASE,
  listing_id: LISTING,
  provider: 'CARD_PROVIDER',
  mode: 'LIVE',
  quantity: '1',
  price: '1999',
  currency: 'EUR',
  email: 'ada@example.com',
  eth_address: null,
}
const claim = {
  email_claim_id: CLAIM,
  item_id: ITEM,
  collection_id: COLLECTION,
  campaign_id: null,
  token_id: '7',
  email: 'ada@example.com',
  quantity: '1',
  tx_payer: 'SELLER',
}

const suspension = (endedAt: string | null) => ({
  suspension_id: '0199a9e0-9ad4-7c37-8f98-d29eafb0c128',
  collection_id: COLLECTION,
  reason: 'The pictures belong to somebody else.',
  started_at: '2026-11-20T12:00:00.000Z',
  ended_at: endedAt,
})

const alarm = (resolvedAt: string | null) => ({
  alarm_id: '0199a9e0-70b2-7a15-bd76-b07c8d9eaf06',
  kind: 'refund_stuck',
  subject: '0199a9e0-8fc3-7b26-8e87-c18d9eafb017',
  detail: 'A refund of 1999 EUR (minor units) did not go through: the card provider refused it. It is tried again.',
  opened_at: '2026-11-20T12:00:00.000Z',
  resolved_at: resolvedAt,
})

export const EVENTS = {
  'item.minted': {
    when: 'A token of one of your items was minted, by a claim, a purchase, a mint request or a foreign transaction.',
    data: move(ZERO_ADDRESS, ADA),
  },
  'item.transferred': { when: 'Units of an item were transferred.', data: move(ADA, GRACE) },
  'item.burned': {
    when: 'Units of an item were destroyed. They don’t return to stock.',
    data: move(ADA, ZERO_ADDRESS),
  },
  'listing.created': { when: 'A listing was published. Drafts send no event.', data: listing('ACTIVE', '0') },
  'listing.completed': { when: 'Every unit of a listing is sold and confirmed.', data: listing('COMPLETE', '100') },
  'listing.cancelled': {
    when: 'A listing was cancelled. Its unsold units went back to stock.',
    data: listing('CANCELLED', '12'),
  },
  'purchase.confirmed': {
    when: 'A purchase was paid, or was free and granted. Its delivery follows.',
    data: purchase,
  },
  'purchase.fulfilled': {
    when: 'Everything in a purchase was delivered to the buyer.',
    data: { ...purchase, item_ids: [ITEM] },
  },
  'purchase.refunded': { when: 'A purchase was refunded to its buyer.', data: purchase },
  'claim.created': { when: 'An email claim was created; its mail is on its way.', data: claim },
  'claim.redeemed': {
    when: 'A recipient proved their mailbox and named an address. With tx_payer BUYER, voucher_id replaces mint_request_id.',
    data: { ...claim, to_address: ADA, mint_request_id: '0199a9e0-5fa0-7f93-9b54-9f5a6b7c8d94' },
  },
  'claim.delivered': {
    when: 'The claimed token is confirmed on the chain.',
    data: { ...claim, to_address: ADA, tx_hash: HASH },
  },
  'collection.deployed': {
    when: 'A collection’s contract was deployed.',
    data: { collection_id: COLLECTION, network_id: 137, contract: GRACE, token_type: 'ERC721' },
  },
  'alarm.opened': {
    when: 'Something of yours needs a person: a refund that doesn’t go through, a purchase that can’t be delivered, a mail that bounced.',
    data: alarm(null),
  },
  'alarm.resolved': {
    when: 'What an alarm was about is over, and has been for a minute.',
    data: alarm('2026-11-20T12:05:00.000Z'),
  },
  'suspension.started': {
    when: 'Those who run this service suspended your organization, or one of your collections: nothing of it is sold, claimed or minted.',
    data: suspension(null),
  },
  'suspension.ended': {
    when: 'The suspension was lifted. What waited goes on by itself.',
    data: suspension('2026-11-21T12:00:00.000Z'),
  },
} as const satisfies Record<string, EventDescription>

export type EventType = keyof typeof EVENTS
export const EVENT_TYPES = Object.keys(EVENTS) as [EventType, ...EventType[]]

/** The type of a webhook's test event. It concerns nothing real and can't be subscribed to. */
export const TEST_EVENT = 'webhook.test'
